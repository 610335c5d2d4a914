#!/usr/bin/env python3
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# renew.py PAGE.jar: puts the page's statements into the queries of dashboard.json, which are named after them.
import json
import pathlib
import subprocess
import sys

FILE = pathlib.Path(__file__).with_name("dashboard.json")

dashboard = json.loads(FILE.read_text(encoding="utf-8"))
for panel in dashboard["panels"]:
    for target in panel["targets"]:
        if "rawSql" in target:
            command = ["java", "-jar", sys.argv[1], "sql", target["refId"], "--for", "grafana"]
            target["rawSql"] = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
FILE.write_text(json.dumps(dashboard, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
