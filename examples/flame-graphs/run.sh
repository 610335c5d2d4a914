#!/usr/bin/env bash
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the demo's shop with the plug-in, a profiler, and a collector that writes the data of both to
# files. Then joins the files into a page. With PID, a running process of the user takes the place of the
# shop, and the page is served meanwhile. The Makefile sets the variables.
set -euo pipefail
cd "$(dirname "$0")"
build=$PWD/build
files=$build/otlp logs=$build/logs page=$build/page

fail() {
  echo "flame-graphs: $*" >&2
  exit 1
}

# Settings from the user's shell would change the example, but for the token of the page.
page_token=${FLAMESPAN_PAGE_TOKEN-}
# shellcheck disable=SC2086 # They are names.
unset ${!OTEL_@} ${!ELASTIC_OTEL_@} ${!FLAMESPAN_@}
[[ $DURATION =~ ^[1-9][0-9]*$ ]] || fail "DURATION is $DURATION: it has to be a number of seconds above 0"
[[ $RATE =~ ^[1-9][0-9]*$ ]] || fail "RATE is $RATE: it has to be a number of samples a second above 0"
[[ $PROTOCOL =~ ^(elastic|otel)$ ]] || fail "PROTOCOL is $PROTOCOL: it can be elastic or otel"
[[ $PROFILER = stand-in || $PROTOCOL = elastic ]] || fail "PROTOCOL=otel needs PROFILER=stand-in"
[[ $OFF_CPU =~ ^(0|1|0?\.[0-9]+)$ ]] || fail "OFF_CPU is $OFF_CPU: it has to be a number from 0 to 1"
[[ $PROFILER = ebpf || $OFF_CPU = 0 ]] || fail "OFF_CPU needs the OpenTelemetry eBPF profiler"
[[ $OFF_CPU = 0 || -e /sys/bus/event_source/devices/kprobe ]] ||
  fail "OFF_CPU needs a kernel with kprobes (CONFIG_KPROBE_EVENTS), which this one does not have"
if [ -n "$PID" ]; then
  [[ $PID =~ ^[1-9][0-9]*$ && -d /proc/$PID ]] || fail "PID is $PID: there is no such process"
  grep -qs /elastic-jvmti-linux- "/proc/$PID/maps" ||
    fail "Process $PID does not have the plug-in, or belongs to another user; \"make doctor\" builds a program that says why"
fi
rm -rf "$files" "$logs" "$page"
mkdir -p "$files" "$logs"
temporary=$(mktemp -d)

declare -A pids=() # of the running processes, by name

# Only this script gets Ctrl-C, and stops the processes in order.
start() { # name, command...
  setsid "${@:2}" > "$logs/$1.log" 2>&1 < /dev/null &
  pids[$1]=$!
}

runs() { kill -0 "${pids[$1]}" 2> /dev/null; } # name

# Waits until a process has printed a text.
await() { # name, text
  local deadline=$((SECONDS + 60))
  until grep -qs "$2" "$logs/$1.log"; do
    runs "$1" || fail "The $1 ended too early; see its output in $logs/$1.log"
    ((SECONDS < deadline)) || fail "The $1 has not printed \"$2\" for 60 s; see $logs/$1.log"
    sleep 0.1
  done
}

# Ends a process. Fails if it still runs after 20 s.
stop() { # name
  local deadline=$((SECONDS + 20))
  runs "$1" || fail "The $1 ended too early; see its output in $logs/$1.log"
  kill "${pids[$1]}"
  while runs "$1"; do
    ((SECONDS < deadline)) || fail "The $1 did not end within 20 s; see $logs/$1.log"
    sleep 0.1
  done
  unset "pids[$1]"
}

# In this order, because the shop would wait for a collector that has ended.
cleanup() {
  local name
  for name in clients shop profiler collector server; do
    [ -n "${pids[$name]:-}" ] || continue
    kill "${pids[$name]}" 2> /dev/null || true
    for _ in {1..100}; do runs "$name" && sleep 0.1 || break; done
    kill -KILL "${pids[$name]}" 2> /dev/null || true
  done
  rm -rf "$temporary"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

# Finds the address at which the collector listens, as port 0 means any free port.
address() { sed -n "s/.*Starting $1 server.*\"endpoint\": \"\([^\"]*\)\".*/\1/p" "$logs/collector.log"; }

if [ -n "$PID" ]; then
  start server env ${page_token:+FLAMESPAN_PAGE_TOKEN="$page_token"} "$JAVA" -jar "$PAGE_JAR" serve "$files"
fi
# A process of the user sends to the usual ports, unless it was told otherwise.
[ -n "$PID" ] || export OTLP_GRPC=127.0.0.1:0 OTLP_HTTP=127.0.0.1:0
OTLP_FILES=$files start collector "$build/collector" \
  --config collector/config.yaml --feature-gates service.profilesSupport
await collector "Everything is ready"

# Local root spans are held from the start: before a profiler's first message, mode auto would export
# them without their samples.
export OTEL_SERVICE_NAME=demo-shop \
  OTEL_EXPORTER_OTLP_ENDPOINT="http://$(address HTTP)" OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf \
  OTEL_METRICS_EXPORTER=none OTEL_LOGS_EXPORTER=none \
  FLAMESPAN_ENABLED=true
shop=("$JAVA" "-Djava.io.tmpdir=$temporary" "-Dexample.owner.pid=$$"
  -cp "$SHOP_CLASSPATH:$PLUGIN_CLASSPATH" io.flamespan.examples.demo.app.DemoApp)

# Profilers after v0.0.202633 have an extension "offcpu" in place of the option for waits.
if [ "$PROFILER" = ebpf ]; then
  version=$(sed -n 's/^\tgo.opentelemetry.io\/ebpf-profiler //p' ../../testbed/ebpf-profiler/go.mod)
  profiler="the OpenTelemetry eBPF profiler $version"
  start profiler ../../testbed/ebpf-profiler/profiler.sh -collection-agent "$(address GRPC)" -disable-tls \
    -verbose -samples-per-second "$RATE" -reporter-interval 1s -off-cpu-threshold "$OFF_CPU"
  await profiler "Attached sched monitor"
else
  reason=$(../../testbed/ebpf-profiler/missing.sh)
  profiler="the stand-in profiler, because the eBPF profiler ${reason:-was not asked for}"
  stand_in=("$STAND_IN" --rate "$RATE" --retry-null --protocol "$PROTOCOL"
    --otlp "http://$(address HTTP)/v1development/profiles")
fi

if [ -n "$PID" ]; then
  [ "$PROFILER" = ebpf ] || start profiler "${stand_in[@]}" --pid "$PID"
  await server "Page: "
  cat "$logs/server.log"
  echo "Use the application of process $PID now: for $DURATION s, it runs under $profiler"
  sleep "$DURATION"
  runs profiler || fail "The profiler ended too early; see its output in $logs/profiler.log"
else
  if [ "$PROFILER" = ebpf ]; then
    start shop "${shop[@]}"
    await shop "The shop answers at"
    await profiler "PID ${pids[shop]} apm.service.name"
  else
    # The stand-in starts and ends the shop.
    start shop "${stand_in[@]}" -- "${shop[@]}"
    await shop "The shop answers at"
  fi
  url=$(sed -n 's/^The shop answers at //p' "$logs/shop.log")
  echo "Clients visit the shop at $url for $DURATION s, under $profiler"
  start clients "$JAVA" -cp "$SHOP_CLASSPATH" io.flamespan.examples.demo.LoadGenerator "$url" "$DURATION"
  wait "${pids[clients]}" || fail "The clients failed; what they printed is in $logs/clients.log"
  unset "pids[clients]"
fi

# The last local root spans are held for a second and exported within five, and the profiler sends
# profiles every second. The shop exports what is left when it stops.
if [ -n "$PID" ]; then
  sleep 6
else
  sleep 2
  stop shop
fi
if [ -n "${pids[profiler]:-}" ]; then
  sleep 2
  stop profiler
fi
stop collector

"$JAVA" -jar "$PAGE_JAR" --out "$page" "$files" | tee "$logs/join.log"
grep -Eq '^on the page +[1-9]' "$logs/join.log" ||
  fail "No sample could be joined with a span; what the processes printed is in $logs${PID:+.
Process $PID has to serve requests meanwhile, and to export its traces to http://$(address HTTP) or, over gRPC,
to http://$(address GRPC)}"
if command -v python3 > /dev/null; then
  python3 "$(dirname "$PAGE_JAR")/../src/test/python/check_join.py" "$page" "$files" ||
    fail "A second join of the same files has other sums"
else
  echo "SKIPPED the second join, which needs python3" >&2
fi
echo "Profiler: $profiler"
echo "Page: file://$page/flame-graphs.html"
