#!/bin/sh
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# check_context.sh BUILD_DIRECTORY: the checks of check.sh for OpenTelemetry thread contexts, alone
# and together with Elastic's records.

# shellcheck source=check/expect.sh
. "$(dirname "$0")/expect.sh"

# any WHAT COUNTER
any() { expect "any $1" "$(($(counter "$2") > 0))" 1; }

# profile_contexts LIBRARY [OPTION]... -- [FIXTURE ARGUMENT]...
profile_contexts() {
  export CONTEXT_LIBRARY="$build/$1.so"
  shift
  profile --retry-null --rate 0 --threads all "$@"
  expect "exit status" "$status" 0
  [ "$status" = 0 ] || cat "$work/log"
}

expect_agreement() {
  any "samples that agree" agree
  expect "samples that disagree" "$(counter disagree)" 0
  expect "only Elastic, but not in the middle of a change" "$(counter only_elastic)" \
    "$(counter only_elastic_otel_invalid)"
  expect "only OpenTelemetry, sampled" "$(counter only_otel_sampled)" 0
  expect "only OpenTelemetry, unsampled" "$(counter only_otel_unsampled)" 0
  expect "not compared" "$(counter not_compared)" 0
}

for model in 'context-descriptor static' 'context-descriptor-large dynamic' \
  'context-module dynamic' 'context-initial static'; do
  name=${model% *}
  echo "# both records, $model"
  profile_contexts "$name" --protocol both --samples 1000 --expected "$work/expected" \
    --records "$work/records" -- service 0 "$work/expected"
  expect "library" "$(counter otel_library)" "$build/$name.so"
  expect "thread-local storage" "$(counter otel_tls)" "${model#* }"
  expect "schema version" "$(counter otel_schema_version)" tlsdesc_v1_dev
  expect "service name" "$(counter otel_service_name)" check-context
  expect "traced by Elastic's record" "$(counter traced)" 1000
  expect_agreement
  any "expected" otel_expected
  expect "shown of them" "$(counter otel_expected_shown)" "$(counter otel_expected)"
  any "contexts that are being written" otel_invalid
  expect "malformed" "$(counter otel_malformed)" 0
  "$build/verify_records" both < "$work/records" > "$work/verified"
  expect "torn records" "$(verified torn)" 0
  expect "malformed records" "$(verified malformed)" 0
  expect "messages received" "$(result correlations)" "$(counter sent)"
done

echo "# thread contexts alone"
profile_contexts context-descriptor --protocol otel --samples 1000 --records "$work/records" \
  --expected "$work/expected" -- service 0 "$work/expected"
expect "traced" "$(counter otel_traced)" 1000
"$build/verify_records" otel < "$work/records" > "$work/verified"
expect "lines in the file of records" "$(verified lines)" 1000
expect "torn records" "$(verified torn)" 0
expect "malformed records" "$(verified malformed)" 0
expect "shown" "$(counter otel_expected_shown)" "$(counter otel_expected)"
expect "sent" "$(counter sent)" 0
expect "messages received" "$(result registrations)$(result correlations)" 00

echo "# records that disagree"
export CONTEXT_FAULT=disagree
profile_contexts context-descriptor --protocol both --samples 2000 --expected "$work/expected" \
  -- service 0 "$work/expected"
any "that disagree" disagree
expect "lines about it" "$(grep -c 'disagree: Elastic' "$work/log")" 10
any "other spans shown" otel_expected_other
expect "other spans in Elastic's records" "$(counter expected_other)" 0
CONTEXT_FAULT=missing
profile_contexts context-descriptor --protocol both --samples 2000 --expected "$work/expected" \
  -- service 0 "$work/expected"
any "only in Elastic's record" only_elastic
any "spans missing" otel_expected_missing
expect "other spans shown" "$(counter otel_expected_other)" 0
CONTEXT_FAULT=unsampled
profile_contexts context-descriptor --protocol both --samples 2000 --
any "only in OpenTelemetry's record" only_otel_unsampled
any "unsampled" otel_unsampled
expect "sampled ones" "$(counter only_otel_sampled)" 0
CONTEXT_FAULT=sampled
profile_contexts context-descriptor --protocol both --samples 2000 --
any "sampled ones" only_otel_sampled

echo "# malformed contexts"
for CONTEXT_FAULT in half odd; do
  profile_contexts context-descriptor --protocol both --samples 2000 --
  any "malformed, $CONTEXT_FAULT" otel_malformed
  expect "not compared" "$(counter not_compared)" "$(counter otel_malformed)"
  expect "samples that disagree" "$(counter disagree)" 0
done
CONTEXT_FAULT=attributes
profile_contexts context-descriptor --protocol both --samples 2000 --
any "unknown keys" otel_attributes_unknown_key
any "values that are not UTF-8" otel_attributes_not_utf8
any "cut by the writer" otel_attributes_cut_by_writer
any "cut by the limit" otel_attributes_cut_by_limit
expect_agreement
unset CONTEXT_FAULT

echo "# processes whose contexts are refused"
# refused WHAT TEXT: Elastic's records must still be read
refused() {
  profile --retry-null --rate 200 --duration 1.5 --protocol both --
  expect "exit status, $1" "$status" 0
  expect_text "$1" "$work/log" "$2"
  expect "lines about it" "$(grep -c 'no readable thread contexts' "$work/log")" 1
  expect "attached" "$(counter otel_attached)" false
  expect "contexts not read" "$(counter otel_not_read)" "$(counter samples)"
  any "samples of Elastic's record" traced
}
export CONTEXT_LIBRARY="$build/context-descriptor.so"
export CONTEXT_SCHEMA
CONTEXT_SCHEMA=absent refused "no process context" "no mapping is named OTEL_CTX"
CONTEXT_SCHEMA=none refused "no schema version" "has no threadlocal.schema_version"
CONTEXT_SCHEMA=nodejs_v1_dev refused "another schema" 'threadlocal.schema_version is "nodejs_v1_dev"'
CONTEXT_SCHEMA=repeated refused "the same key twice" "same key at the indexes 0 and 1"
unset CONTEXT_SCHEMA CONTEXT_LIBRARY
refused "nothing of OpenTelemetry" "no mapping is named OTEL_CTX"
"$profiler" --protocol otel --attach-timeout 0.2 -- sleep 20 2> "$work/log"
expect "exit status without contexts" $? 1
expect_text "the reason" "$work/log" "has no readable thread contexts: no mapping is named OTEL_CTX"

echo "# a process context that comes later"
export CONTEXT_AFTER_MS=700
profile_contexts context-descriptor --protocol both --duration 3 --
expect "attached" "$(counter otel_attached)" true
any "samples before it" otel_not_read
any "samples after it" agree
unset CONTEXT_AFTER_MS

# begin CONTEXT_LIBRARY: starts a fixture that the profiler did not start
begin() {
  CONTEXT_LIBRARY=$1 "${2:-$build/fixture}" "$library" "$socket" "$work/result" &
  fixture=$!
  sleep 0.3
}
end() {
  kill $fixture
  wait $fixture
}

echo "# --show"
begin "$build/context-descriptor.so"
"$profiler" --pid $fixture --attach-timeout 5 --retry-null --protocol both --show > "$work/shown"
expect "exit status" $? 0
expect_text "the process" "$work/shown" "\"otel\": {\"library\": \"$build/context-descriptor.so\""
expect_text "the variable" "$work/shown" '"tls": "static", "offset": -'
expect_text "the keys" "$work/shown" '"key_map": ["number", "text"]'
expect_text "a thread without pointer" "$work/shown" '"otel": {"state": "no pointer"}'
expect_text "a writer" "$work/shown" '"valid": '
expect_text "a verdict" "$work/shown" '"verdict": "both_none"'
end

echo "# a library that was deleted after it was loaded"
cp "$build/context-descriptor.so" "$work/gone.so"
begin "$work/gone.so"
rm "$work/gone.so"
"$profiler" --pid $fixture --retry-null --attach-timeout 5 --protocol both --show > "$work/shown"
expect_text "its path" "$work/shown" "\"error\": \"$work/gone.so"
expect_text "the reason" "$work/shown" "was deleted after it was loaded"
end

echo "# two libraries with the variable"
begin "$build/context-descriptor.so:$build/context-module.so"
"$profiler" --pid $fixture --retry-null --attach-timeout 5 --protocol both --show > "$work/shown"
expect_text "the reason" "$work/shown" '"error": "both '
expect_text "one library" "$work/shown" "$build/context-descriptor.so"
expect_text "the other library" "$work/shown" "$build/context-module.so"
end

echo "# musl"
if [ -x "$build/musl/fixture" ]; then
  library=$build/musl/elastic-jvmti-linux-fixture.so
  begin "$build/musl/context-descriptor.so" "$build/musl/fixture"
  "$profiler" --pid $fixture --protocol otel --attach-timeout 5 --rate 0 --threads all \
    --samples 2000 --records "$work/records" --summary "$work/summary" 2> "$work/log"
  expect "exit status" $? 0
  expect "thread-local storage" "$(counter otel_tls)" dynamic
  expect "traced" "$(counter otel_traced)" 2000
  "$build/verify_records" otel < "$work/records" > "$work/verified"
  expect "torn records" "$(verified torn)" 0
  expect "malformed records" "$(verified malformed)" 0
  end
else
  echo "SKIPPED musl: no musl-gcc"
fi

finish
