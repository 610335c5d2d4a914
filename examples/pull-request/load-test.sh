#!/usr/bin/env bash
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# load-test.sh CLASSPATH DIRECTORY
#
# Runs the application for LOAD_SECONDS under load, with the embedded profiler, which writes into the directory. It has
# START_SECONDS to start. Replace the class of the application and the load by your own. The load has to be the same for
# both sides.
set -euo pipefail
classpath=$1 directory=$2
mkdir -p "$directory"
port=$directory.port
rm -f "$port"

java -Dotel.service.name=shop -Dexample.port.file="$port" \
  -Dflamespan.embedded.profiler=on -Dflamespan.embedded.profiler.directory="$directory" \
  -Dotel.traces.exporter=none -Dotel.metrics.exporter=none -Dotel.logs.exporter=none \
  -cp "$classpath" io.flamespan.examples.demo.app.DemoApp > "$directory.log" 2>&1 &
application=$!
trap 'kill "$application" 2> /dev/null || true; wait "$application" || true' EXIT
end=$((SECONDS + ${START_SECONDS:-60}))
until [ -s "$port" ]; do
  if ! kill -0 "$application" || ((SECONDS > end)); then
    cat "$directory.log" >&2
    echo "the application has no port" >&2
    exit 1
  fi
  sleep 0.2
done
java -cp "$classpath" io.flamespan.examples.demo.LoadGenerator "http://127.0.0.1:$(cat "$port")" "${LOAD_SECONDS:-120}"
