#!/usr/bin/env bash
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# check.sh PAGE_JAR CLASSPATH
#
# Runs the scripts as the workflows do, with the same code on both sides, and programs in place of gh and curl.
set -euo pipefail
page=$(realpath "$1") classpath=$2
here=$(realpath "$(dirname "$0")")
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
cd "$temporary"

fail() {
  echo "check: $*" >&2
  exit 1
}

# What a busy machine does to so short runs must not fail this check.
status=0
LIMIT=1000% LOAD_SECONDS=6 RUNS=2 "$here/compare.sh" "$page" "$classpath" "$classpath" --allow load,length,endpoints || status=$?
cat flamespan/comment.md
[ "$status" = 0 ] || [ "$status" = 2 ] || fail "the same code has the status $status"
grep -q "\"exitStatus\": $status" flamespan/page/summary.json || fail "summary.json has another exit status"
grep -q 'Compared: 2 runs with 2' flamespan/comment.md || fail "each directory is not a run"
! grep -q '<details>' flamespan/comment.md || fail "the comment has all figures"

mkdir bin
printf '%s\n' '#!/bin/sh' 'exec sleep 60' > bin/java
chmod +x bin/java
cannotBeCompared() {
  status=0
  "$here/compare.sh" "$page" "$1" "$1" || status=$?
  [ "$status" = 3 ] || fail "an application that does not start has the status $status"
  grep -q '^\*\*Cannot be compared:\*\* run 1 of main did not end well' flamespan/comment.md ||
    fail "the comment does not say that a run failed"
}
mv flamespan compared
cannotBeCompared missing
START_SECONDS=1 PATH=$temporary/bin:$PATH cannotBeCompared "$classpath"
rm bin/java
printf '%s\n' '#!/bin/sh' 'printf "%s\n" "$@" >> sent' 'case "$*" in *--jq*) cat earlier 2> /dev/null || true ;; esac' > bin/gh
printf '%s\n' '#!/bin/sh' 'printf "%s\n" "$@" > sent' > bin/curl
chmod +x bin/gh bin/curl
export PATH=$temporary/bin:$PATH GITHUB_REPOSITORY=shop/shop
"$here/comment-github.sh" 7 ''
grep -q 'Cannot be compared' sent || fail "the comment on GitHub does not say that a run failed"
! grep -q 'Page of flame graphs' sent || fail "the comment on GitHub has a link to no page"
rm -r flamespan sent
! "$here/comment-github.sh" 7 '' || fail "the comment on GitHub is of no comparison"
[ ! -s sent ] || fail "there is a comment on GitHub without a comparison"
mv compared flamespan
"$here/comment-github.sh" 7 https://example.com/page
grep -q '^repos/shop/shop/issues/7/comments$' sent && grep -q 'Page of flame graphs](https://example.com/page)' sent ||
  fail "there is no comment on GitHub"
echo 4711 > earlier
"$here/comment-github.sh" 7 https://example.com/page
grep -q '^repos/shop/shop/issues/comments/4711$' sent || fail "the earlier comment on GitHub remains"
gitlab() {
  CI_JOB_URL=https://example.com/job CI_API_V4_URL=https://example.com/api CI_PROJECT_ID=1 CI_MERGE_REQUEST_IID=7 \
    FLAMESPAN_TOKEN=secret "$here/comment-gitlab.sh"
}
gitlab
grep -q '^https://example.com/api/projects/1/merge_requests/7/notes$' sent || fail "there is no comment on GitLab"
grep -q 'Page of flame graphs](https://example.com/job/artifacts/file/flamespan/page/' flamespan/note.md ||
  fail "the comment on GitLab has no link"
mv flamespan/page .
gitlab
! grep -q 'Page of flame graphs' flamespan/note.md || fail "the comment on GitLab has a link to no page"
rm -r flamespan sent
! gitlab || fail "the comment on GitLab is of no comparison"
[ ! -s sent ] || fail "there is a comment on GitLab without a comparison"
