#!/bin/sh
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# check.sh BUILD_DIRECTORY: runs the profiler against the fixture, and compares their counters.
# shellcheck source=check/expect.sh
. "$(dirname "$0")/expect.sh"

expect_signals_kept() {
  expect "faults handled" "$(result faults_handled)" "$(result faults_raised)"
  expect "signals handled" "$(result signals_handled)" "$(result signals_raised)"
}

echo "# 4,000 traced samples as fast as possible"
profile --retry-null --rate 0 --threads all --samples 4000 --host-id host-42 --retry \
  --records "$work/records" --sent "$work/sent" --
expect "exit status" "$status" 0
expect "attached" "$(counter attached)" true
expect "service name" "$(counter service_name)" check-service
expect_text "service environment" "$work/summary" '"check \"environment\""'
expect "socket path" "$(counter socket_path)" "$work/socket"
expect "library" "$(counter library)" "$library"
expect "traced" "$(counter traced)" 4000
"$build/verify_records" < "$work/records" > "$work/verified"
expect "lines in the file of records" "$(verified lines)" 4000
expect "torn records" "$(verified torn)" 0
expect "malformed records" "$(verified malformed)" 0
expect "registration messages" "$(result registrations)" 1
expect "correlation messages received" "$(result correlations)" "$(counter sent)"
expect "lines in the file of sent messages" "$(wc -l < "$work/sent")" "$(counter sent)"
expect "malformed messages" "$(result malformed)" 0
expect "messages accounted for" \
  "$(($(counter sent) + $(counter lost_queue_full) + $(counter send_errors)))" 4000
expect_signals_kept

echo "# 2 seconds at 200 Hz, threads on a CPU, nothing sent twice"
profile --retry-null --rate 200 --duration 2 --no-registration --
expect "exit status" "$status" 0
expect "registration messages" "$(result registrations)" 0
expect "correlation messages received" "$(result correlations)" "$(counter sent)"
expect "messages accounted for" \
  "$(($(counter sent) + $(counter lost_queue_full) + $(counter send_errors)))" "$(counter traced)"
expect_signals_kept

echo "# threads by name"
profile --retry-null --rate 100 --thread-name short- --duration 1 --records "$work/records" --
"$build/verify_records" < "$work/records" > "$work/verified"
expect "torn records" "$(verified torn)" 0
expect "exit status" "$status" 0

echo "# threads that report which span they show"
for threads in '--threads all' '--threads on-cpu' '--thread-name writer'; do
  # shellcheck disable=SC2086
  profile --retry-null --rate 0 $threads --samples 1000 --expected "$work/expected" \
    -- service 0 "$work/expected"
  expect "exit status, $threads" "$status" 0
  expect "any expected" "$(($(counter expected) > 0))" 1
  expect "shown of them" "$(counter expected_shown)" "$(counter expected)"
  expect "missing" "$(counter expected_missing)" 0
  expect "other spans shown" "$(counter expected_other)" 0
done
profile --retry-null --rate 0 --threads all --samples 1000 --expected "$work/expected" \
  -- service 0 "$work/expected" lie
expect "one lies: any other spans shown" "$(($(counter expected_other) > 0))" 1
expect "missing" "$(counter expected_missing)" 0
expect "lines about it" "$(grep -c 'should show span' "$work/log")" 10

echo "# a null pointer at the attach"
profile --duration 1 -- service -1
expect "exit status" "$status" 0
expect "attached" "$(counter attached)" false
expect "null_at_attach" "$(counter null_at_attach)" 1
profile --retry-null --duration 1 -- service 300
expect "exit status" "$status" 0
expect "attached with --retry-null" "$(counter attached)" true

echo "# storage that a profiler refuses"
long_name=$(printf '%0129d' 0)
profile --retry-null --duration 1 -- "$long_name"
expect "exit status" "$status" 1
expect_text "a service name of 129 bytes" "$work/log" "service-name has a length of 129 bytes"
profile --retry-null --duration 1 -- "$(printf 'caf\351')"
expect_text "a service name that is not UTF-8" "$work/log" "service-name is not UTF-8"

socket=$(printf '%s/%0100d' "$work" 0 | cut -c1-100)
profile --retry-null --duration 1 --
expect "exit status" "$status" 1
expect_text "a socket path of 100 bytes" "$work/log" "a socket address holds 107"
socket=$work/socket

echo "# --show"
"$build/fixture" "$library" "$work/socket" "$work/result" shown &
fixture=$!
"$profiler" --pid $fixture --attach-timeout 5 --retry-null --show > "$work/shown"
expect "exit status" $? 0
expect_text "service name" "$work/shown" '"service_name": "shown"'
expect_text "a thread without pointer" "$work/shown" '"pointer": null'
expect_text "a writer" "$work/shown" '"name": "writer", "pointer": "0x'
kill $fixture
wait $fixture
expect "exit status of the fixture" $? 0

echo "# a library that was deleted after it was loaded"
cp "$library" "$work/elastic-jvmti-linux-gone_1.so"
"$build/fixture" "$work/elastic-jvmti-linux-gone_1.so" "$socket" "$work/result" &
fixture=$!
"$profiler" --pid $fixture --attach-timeout 5 --retry-null --show > "$work/shown"
rm "$work/elastic-jvmti-linux-gone_1.so"
# Without the permission to open the mapped file, the profiler must report it.
"$profiler" --pid $fixture --show > "$work/shown" 2>&1
expect_text "its path" "$work/shown" "$work/elastic-jvmti-linux-gone_1.so"
grep -q '"name": "writer"' "$work/shown" || expect_text "the reason" "$work/shown" "was deleted"

kill $fixture
wait $fixture

echo "# a process that is killed while it is sampled"
for moment in 0 0.1 0.2 0.3; do
  "$build/fixture" "$library" "$socket" "$work/result" &
  fixture=$!
  rm -f "$work/log"
  timeout 30 "$profiler" --pid $fixture --retry-null --rate 0 --threads all --no-stacks \
    2> "$work/log" &
  sampled=$!
  # A process that is killed earlier may have ended before the profiler looks for it.
  until grep -qs "attached to process" "$work/log" || ! kill -0 $sampled 2> /dev/null; do
    sleep 0.02
  done
  sleep $moment
  kill -9 $fixture
  wait $sampled
  ended=$?
  expect "exit status, killed $moment s after the attach" $ended 0
  [ $ended -eq 0 ] || cat "$work/log"
  wait
done

echo "# a library that is still being loaded"
LOADING_MS=200 LOADING_MAPPED_MS=200 "$profiler" --rate 0 --threads all --samples 100 --no-stacks --retry-null \
  --summary "$work/summary" -- "$build/fixture" "$library" "$socket" "$work/result" 2> "$work/log"
expect "exit status" $? 0
expect "samples" "$(($(counter samples) >= 100))" 1
# attach_to_loading MAPPED: the fixture gets as far as a mapping of the library that matches, and stays there.
attach_to_loading() {
  "$build/fixture" "$library" "$socket" "$work/result" &
  fixture=$!
  until grep -q "$1.*$library" /proc/$fixture/maps; do sleep 0.02; done
  "$profiler" --attach-timeout 0.2 --retry-null --pid $fixture 2> "$work/log"
  status=$?
  kill -9 $fixture
  wait $fixture 2> /dev/null
}
LOADING_MS=600000 attach_to_loading " r-xp "
expect "exit status when it is not mapped in time" $status 1
expect_text "the reason" "$work/log" "after 0.2 s: the data of $library is not mapped yet"
LOADING_MAPPED_MS=600000 attach_to_loading " rw-p "
expect "exit status when it is not relocated in time" $status 1
expect_text "the reason" "$work/log" "after 0.2 s: $library is not relocated yet"

echo "# ends"
"$profiler" --pid 2147483647 2> "$work/log"
expect "exit status without a process" $? 1
"$profiler" -- sh -c 'exit 7' 2> "$work/log"
expect "exit status of the command" $? 7
"$profiler" -- "$work/missing" 2> "$work/log"
expect "exit status without a command" $? 1
expect_text "a missing command" "$work/log" "cannot start"
"$profiler" --attach-timeout 0.2 -- sleep 20 2> "$work/log"
expect "exit status without a library" $? 1
expect_text "a missing library" "$work/log" "has not loaded a library"
"$profiler" --rate 0 --duration 1 --attach-timeout 5 --retry-null --summary "$work/summary" -- \
  "$build/fixture" "$library" "$work/socket" "$work/result" 2> "$work/log"
expect "exit status without a JVM" $? 1
expect_text "stacks of a process that is not a JVM" "$work/log" "does not catch SIGQUIT"

finish
