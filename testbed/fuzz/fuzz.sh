#!/usr/bin/env bash
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# fuzz.sh run|merge JAVA CLASSPATH SECONDS TARGETS: runs each target whose name matches the regular
# expression TARGETS for SECONDS, starting from its corpus. Java targets run under Jazzer; C targets
# run under libFuzzer if they are built. With "merge", merges the inputs that such runs have found
# into the corpora of the tree instead. Exits with status 1 if there was a finding.
set -euo pipefail
cd "$(dirname "$0")/../.."
mode=$1 java=$2 classpath=$3 seconds=$4 targets=$5
work=target/fuzz
findings=$work/findings
longest=1000 # bytes of what is merged
status=0

fuzz() { # TARGET CORPUS COMMAND...
  local name=${1##*.} corpus=$2 found=$work/corpus/$1 log=$work/logs/$1.log before
  shift 2
  mkdir -p "$found"
  rm -rf $work/tmp
  mkdir $work/tmp
  if [ "$mode" = merge ]; then
    before=$(count "$corpus")
    "$@" -merge=1 -use_counters=0 -max_len=$longest "$corpus" "$found" &> "$log" ||
      { tail -20 "$log" >&2; exit 1; }
    echo "$name: $(($(count "$corpus") - before)) inputs merged into $corpus"
    return
  fi
  before=$(count "$found")
  if "$@" -max_total_time="$seconds" -timeout=120 -print_final_stats=1 \
      -artifact_prefix="$findings/$name-" "$found" "$corpus" &> "$log"; then
    echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs," \
      "$(($(count "$found") - before)) new ones in $found"
  else
    status=1
    grep -m 1 -A 20 -e '^== ' -e '^==[0-9]*==' "$log" >&2 || tail -20 "$log" >&2
    echo "$name: FAILED, input: $(sed -n 's/.*Test unit written to //p' "$log" | tail -1), log: $log" >&2
  fi
}

# Keeps files that the targets write out of the machine's directory for temporary files.
jazzer() { # TARGET OPTION...
  "$java" -Xmx512m -XX:+UseSerialGC --add-opens java.base/java.nio=ALL-UNNAMED -Djava.io.tmpdir="$PWD/$work/tmp" \
    -Djava.util.logging.config.file=testbed/fuzz/logging.properties \
    -cp "$(cat $work/classpath):$classpath" com.code_intelligence.jazzer.Jazzer \
    --target_class="$1" --instrumentation_includes='io.flamespan.**' \
    --reproducer_path="$findings" "${@:2}"
}

count() { find "$1" -type f | wc -l; }

selected() { # the corpora below DIRECTORY
  ls "$1" | grep -E -e "$targets" || true
}

mkdir -p $findings $work/logs
for target in $(selected native/fuzz/corpus); do
  if [ -x "native/build/libfuzzer-$target" ]; then
    fuzz "$target" "native/fuzz/corpus/$target" "native/build/libfuzzer-$target"
  fi
done
for corpus in src/test/resources/fuzz doctor/src/test/resources/fuzz; do
  for target in $(selected $corpus); do
    if [ "$(uname -m)" = x86_64 ]; then
      fuzz "$target" "$corpus/$target" jazzer "$target"
    else
      echo "${target##*.}: left out, Jazzer has no library for Linux on $(uname -m)" >&2
    fi
  done
done
rm -rf $work/tmp
exit $status
