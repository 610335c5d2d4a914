#!/usr/bin/env bash
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# compare.sh PAGE_JAR MAIN BRANCH [OPTION]...
#
# Runs load-test.sh with two class paths by turns, RUNS times each, and compares both in flamespan/page. The exit
# status is the gate's: 0 not dearer, 1 dearer, 2 not enough requests, 3 the sides cannot be compared. LIMIT is what
# --fail-above takes, the options are further ones of the page.
set -euo pipefail
page=$1 main=$2 branch=$3
shift 3
here=$(dirname "$0")
files=flamespan/runs
rm -rf flamespan
mkdir -p "$files"

fail() {
  echo "**Cannot be compared:** $*." | tee flamespan/comment.md
  exit 3
}

run() {
  echo "run $2 of $1"
  "$here/load-test.sh" "${!1}" "$files/$1-$2" || fail "run $2 of $1 did not end well; the log of the job says why"
}

# What drifts in one direction, such as the temperature, hits both sides alike.
for ((i = 1; i <= ${RUNS:-5}; i++)); do
  if ((i % 2)); then run main "$i"; run branch "$i"; else run branch "$i"; run main "$i"; fi
done
# shellcheck disable=SC2012 # The names are ours.
mapfile -t before < <(ls -d "$files"/main-*/)
mapfile -t after < <(ls -d "$files"/branch-*/)
status=0
java -jar "$page" --out flamespan/page --fail-above "${LIMIT:-5%}" "$@" \
  --baseline "${before[@]}" --now "${after[@]}" || status=$?
[ -s flamespan/page/summary.md ] || fail "there is no verdict (status $status); the log of the job says why"
# A comment has no room for all figures, which the page has.
sed '/^<details><summary>All figures/,$d' flamespan/page/summary.md > flamespan/comment.md
exit "$status"
