#!/bin/sh
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the threads of the receiver under ThreadSanitizer, and shows that it detects missing
# ordering: the same sources without ordered atomics must fail.
#   tsan.sh DIRECTORY COMPILER FLAG...
# Exits with 2, after printing the reason, if ThreadSanitizer does not work here.
set -eu
out=$1
shift
sources="src/scheduling.c src/receiver.c test/receiver_race_test.c"

echo 'int main(void) { return 0; }' > "$out/tsan_probe.c"
if ! "$@" -fsanitize=thread -o "$out/tsan_probe" "$out/tsan_probe.c" 2> "$out/tsan_probe.log"; then
  echo "the compiler does not support ThreadSanitizer"
  exit 2
fi
# Older versions do not find room for their shadow memory if addresses are highly randomized.
run=
if ! "$out/tsan_probe" > /dev/null 2>&1; then
  run="setarch $(uname -m) -R"
  if ! $run "$out/tsan_probe" > /dev/null 2>&1; then
    echo "ThreadSanitizer does not start, even without address randomization"
    exit 2
  fi
fi
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"

"$@" -fsanitize=thread -pthread -include test/relaxed_atomics.h -o "$out/receiver_race_test-relaxed" $sources
status=0
timeout 60 $run "$out/receiver_race_test-relaxed" > "$out/tsan-relaxed.log" 2>&1 || status=$?
if [ $status != 66 ] || ! grep -q 'WARNING: ThreadSanitizer: data race' "$out/tsan-relaxed.log"; then
  echo "ThreadSanitizer does not report a race in a receiver without ordering: status $status" >&2
  cat "$out/tsan-relaxed.log" >&2
  exit 1
fi

"$@" -fsanitize=thread -pthread -o "$out/receiver_race_test-tsan" $sources
$run "$out/receiver_race_test-tsan"
