# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# The comparisons of the checks, and the programs that they start. A check sources this file with
# the build directory as first argument.
set -u
build=$(cd "$1" && pwd)
profiler=$build/stand-in-profiler
library=$build/elastic-jvmti-linux-fixture.so
work=$(mktemp -d "${TMPDIR:-/tmp}/check.XXXXXX")
trap 'rm -rf "$work"' EXIT
socket=$work/socket
failures=0

# expect WHAT ACTUAL EXPECTED
expect() {
  if [ -n "$2" ] && [ "$2" = "$3" ]; then
    echo "ok      $1: $2"
  else
    echo "FAILED  $1: '$2', expected '$3'"
    failures=$((failures + 1))
  fi
}

# expect_text WHAT FILE TEXT
expect_text() {
  if grep -qF -- "$3" "$2"; then
    echo "ok      $1"
  else
    echo "FAILED  $1: no '$3' in:"
    cat "$2"
    failures=$((failures + 1))
  fi
}

counter() { sed -n "s/^  \"$1\": \"\{0,1\}\(.*[^,\"]\)\"\{0,1\},\{0,1\}\$/\1/p" "$work/summary"; }
result() { sed -n "s/^$1=//p" "$work/result"; }
verified() { sed -n "s/^$1=//p" "$work/verified"; }

# profile [OPTION]... -- [FIXTURE ARGUMENT]...
profile() {
  options=
  while [ "$1" != -- ]; do
    options="$options $1"
    shift
  done
  shift
  rm -f "$work/result"
  # shellcheck disable=SC2086
  timeout 120 "$profiler" $options --no-stacks --summary "$work/summary" \
    -- "$build/fixture" "$library" "$socket" "$work/result" "$@" 2> "$work/log"
  status=$?
}

finish() {
  [ "$failures" -eq 0 ] && echo "all checks passed" || echo "$failures checks FAILED"
  exit $((failures > 0))
}
