#!/bin/sh
# Copyright The OpenTelemetry Profiling Correlation Authors
# SPDX-License-Identifier: Apache-2.0
#
# check_otlp.sh BUILD_DIRECTORY: exports profiles of the fixture to a receiver that succeeds, fails
# or does not answer, and compares the received profiles with the counters of the profiler.
# shellcheck source=check/expect.sh
. "$(dirname "$0")/expect.sh"
check=$(cd "$(dirname "$0")" && pwd)
export PYTHONDONTWRITEBYTECODE=1 PYTHONUTF8=1

if ! command -v python3 > /dev/null; then
  echo "SKIPPED the receiver of exported profiles: no python3 (apt-get install python3)" >&2
  [ "${SKIP:-yes}" != no ]
  exit
fi

# receive [ANSWER]...: starts the receiver; its URL is in $url.
receive() {
  rm -rf "$work/received"
  mkdir "$work/received"
  python3 "$check/otlp_receiver.py" "$work/received" "$@" &
  receiver=$!
  tries=100
  until [ -e "$work/received/port" ] || [ $((tries -= 1)) -eq 0 ]; do
    sleep 0.1
  done
  url=http://127.0.0.1:$(cat "$work/received/port")
}

# export_profiles [OPTION]...: samples and exports for two seconds.
export_profiles() {
  begin=$(date +%s)
  profile --retry-null --rate 100 --threads all --duration 2 --otlp "$url" "$@" --
  seconds=$(($(date +%s) - begin))
}

end_receiver() {
  kill $receiver
  wait $receiver 2> /dev/null
}

received() {
  end_receiver
  python3 "$check/verify_profiles.py" "$work/received/"*.body > "$work/verified"
}

expect_all_accounted_for() {
  expect "exit status" "$status" 0
  expect "any samples" "$(($(counter otlp_samples) > 100))" 1
  expect "all samples of the run" "$(($(counter otlp_samples) + $(counter otlp_dropped)))" \
    "$(counter samples)"
  expect "delivered or lost" "$(($(counter otlp_delivered) + $(counter otlp_lost)))" \
    "$(counter otlp_samples)"
}

expect_delivered() {
  expect "samples lost" "$(counter otlp_lost)" 0
  expect "samples received" "$(verified samples)" "$(counter otlp_samples)"
  expect "samples with a Link received" "$(verified linked)" "$(counter otlp_linked)"
  expect "as many as messages" "$(counter otlp_linked)" \
    "$(($(counter sent) + $(counter lost_queue_full) + $(counter send_errors)))"
  expect "exports received" "$(verified exports)" "$(counter otlp_exports)"
  expect "one id per profile" "$(verified profile_ids)" "$(counter otlp_exports)"
  expect "Links to transactions" "$(verified transactions)" "$(verified linked)"
  expect "Links with ids that do not belong together" "$(verified unrelated)" 0
  expect "problems" "$(verified problems)" none
}

echo "# exports of Java stacks"
"$build/otlp_unit_test" "$work/export" > /dev/null
python3 "$check/verify_profiles.py" "$work/export" > "$work/verified"
expect "problems" "$(verified problems)" none
expect "stacks" "$(verified stack)" \
  "java.lang.Thread.run java.util.TimSort.sort;shop.Bé.run�;java.lang.Thread.run"
expect "samples" "$(verified samples)" 3
expect "Java frames" "$(verified frames_jvm)" 4
expect "Link" "$(verified link)" 0102030405060708090a0b0c0d0e0f10-2122232425262728
expect "types" "$(verified sample_type) $(verified period_type) $(verified period)" \
  "samples/count cpu/nanoseconds 50000000"
expect "resource" "$(verified service.name) $(verified host.id) $(verified process.pid)" \
  "shöp host-42 4711"
expect "executable" "$(verified process.executable.name) $(verified process.executable.path)" \
  "java /opt/jdk/bin/java"

echo "# exports of a process, four in a second"
receive 200
export_profiles --otlp-interval 0.25 --host-id host-42
received
expect_all_accounted_for
expect_delivered
expect "several exports" "$(($(counter otlp_exports) >= 4))" 1
expect "failures" "$(counter otlp_failures)" 0
expect "samples with and without a Link" \
  "$(($(verified linked) > 0 && $(verified linked) < $(verified samples)))" 1
expect "service" "$(verified service.name)" check-service
expect "host" "$(verified host.id)" host-42
expect "executable" "$(verified process.executable.path)" "$build/fixture"
expect "types" "$(verified sample_type) $(verified period_type) $(verified period)" \
  "samples/count wall/nanoseconds 10000000"
expect_text "a thread's name" "$work/verified" "writer"
build_id=$(LC_ALL=C readelf -n "$build/fixture" | sed -n 's/^ *Build ID: //p')
expect_text "build id of the executable" "$work/verified" "fixture:$build_id"
expect_text "path" "$work/received/0.head" "POST /v1development/profiles HTTP/1.1"
expect_text "content type" "$work/received/0.head" "Content-Type: application/x-protobuf"
expect_text "version" "$work/received/0.head" "otlp-profiles-development-version: 1"

echo "# threads on a CPU are CPU time"
receive chunked
profile --retry-null --rate 50 --duration 1 --otlp "$url/some/path" --
received
expect "exit status" "$status" 0
expect_delivered
expect "types" "$(verified period_type) $(verified period)" "cpu/nanoseconds 20000000"
expect_text "path" "$work/received/0.head" "POST /some/path HTTP/1.1"

echo "# Links of thread contexts name the current span"
receive 200
export CONTEXT_LIBRARY="$build/context-descriptor.so"
export_profiles --protocol otel
unset CONTEXT_LIBRARY
received
expect_all_accounted_for
expect "any Links" "$(($(verified linked) > 0))" 1
expect "Links" "$(verified linked)" "$(counter otlp_linked)"
expect "Links to current spans" "$(verified spans)" "$(verified linked)"
expect "messages" "$(counter sent)" 0
expect "problems" "$(verified problems)" none
expect "service" "$(verified service.name)" check-context

echo "# a receiver that is busy at first"
receive 503 429 200
export_profiles --otlp-interval 0.25
received
expect_all_accounted_for
expect_delivered
expect "failures" "$(counter otlp_failures)" 2
expect "lines about it" "$(grep -c 'cannot export profiles' "$work/log")" 1
expect_text "the reason" "$work/log" 'the answer is "503 Service Unavailable"; it will be retried'

echo "# a receiver that refuses"
for answer in 404 reject; do
  receive $answer
  export_profiles --otlp-interval 0.25
  end_receiver
  expect_all_accounted_for
  expect "samples lost, $answer" "$(counter otlp_lost)" "$(counter otlp_samples)"
  expect "lines about it" "$(grep -c 'cannot export profiles' "$work/log")" 1
done
expect_text "the reason" "$work/log" "the receiver rejected 1 profiles: no space"
expect "rejected profiles" "$(counter otlp_rejected_profiles)" "$(counter otlp_failures)"

echo "# no receiver"
export_profiles --otlp-interval 0.25
expect_all_accounted_for
expect "samples lost" "$(counter otlp_lost)" "$(counter otlp_samples)"
expect "many failures" "$(($(counter otlp_failures) >= 4))" 1
expect "lines about it" "$(grep -c 'cannot export profiles' "$work/log")" 1
expect_text "the reason" "$work/log" "cannot connect: Connection refused"

echo "# a receiver that never answers"
receive silent
export_profiles --otlp-interval 0.25
expect_all_accounted_for
expect "samples lost" "$(counter otlp_lost)" "$(counter otlp_samples)"
expect "sampling continued" "$(($(counter ticks) > 100))" 1
expect "it ends nevertheless" "$((seconds < 20))" 1
end_receiver

echo "# wrong options"
for wrong in https://localhost/ localhost:4318 http://:4318 http://localhost:0; do
  "$profiler" --otlp $wrong --pid 1 2> "$work/log"
  expect "exit status of --otlp $wrong" $? 2
  expect_text "the reason" "$work/log" "--otlp $wrong: the URL"
done

finish
