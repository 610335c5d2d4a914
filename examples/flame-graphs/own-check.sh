#!/usr/bin/env bash
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks "make flame-graphs APP=…" as a user at a terminal would: sends requests to an application that knows
# nothing of OpenTelemetry, looks at the page meanwhile, presses Ctrl-C, and reads the page's summary. Run it in the
# directory of the tree.
set -euo pipefail
temporary=$(mktemp -d)
log=$temporary/log
make=
trap '[ -z "$make" ] || kill -KILL -- "-$make" 2> /dev/null || true; rm -rf "$temporary"' EXIT

fail() {
  cat "$log" >&2
  echo "own-check: $*" >&2
  exit 1
}

make -s -C examples/java-agent build
application="-Dexample.port.file=$temporary/port -cp examples/java-agent/build/app"
# A process group of its own, which gets Ctrl-C as a whole. A shell's background process would ignore it.
env --default-signal=INT setsid make flame-graphs \
  APP="$application io.flamespan.examples.agent.app.UnmodifiedApp" > "$log" 2>&1 &
make=$!
deadline=$((SECONDS + 300)) # of a build, too
until grep -qs 'The embedded profiler is on' "$log" && grep -qs 'Page: http' "$log" && [ -e "$temporary/port" ]; do
  { kill -0 "$make" 2> /dev/null && ((SECONDS < deadline)); } || fail "the application did not start"
  sleep 0.2
done
python3 - "http://127.0.0.1:$(cat "$temporary/port")/busy" <<'END' || fail "the application did not answer"
import sys, urllib.request
for _ in range(20):
    urllib.request.urlopen(sys.argv[1], timeout=60).read()
END
python3 - "$(sed -n 's/.*Page: http/http/p' "$log")" <<'END' || fail "the page does not show the requests while the application runs"
import json, sys, time, urllib.request
address, token = sys.argv[1].split("?token=")
request = urllib.request.Request(address + "data", headers={"Authorization": "Bearer " + token})
for _ in range(60):
    with urllib.request.urlopen(request, timeout=60) as answer:
        data = json.loads(answer.read() or "{}")
    if any(one["name"] == "GET /busy" and one["requests"] == 20 for one in data.get("endpoints", [])):
        sys.exit()
    time.sleep(0.5)
sys.exit(1)
END
kill -INT -- "-$make"
deadline=$((SECONDS + 120))
while kill -0 "$make" 2> /dev/null; do
  ((SECONDS < deadline)) || fail "Ctrl-C did not end it"
  sleep 0.2
done
make=

grep -q '^ok: samples and CPU time received are those on the page' "$log" || fail "the page's sums were not checked"
summary=examples/flame-graphs/build/page/summary.md
# 20 requests compute for 150 ms each.
awk -F ' *[|] *' '$2 == "GET /busy" && $4 == 20 && $7 > 0.5 { found = 1 } END { exit !found }' "$summary" || {
  cat "$summary" >&2
  fail "GET /busy is not on the page with 20 requests and their CPU time"
}
grep 'GET /busy' "$summary"
