#!/usr/bin/env bash
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# comment-github.sh PULL_REQUEST LINK
#
# Writes flamespan/comment.md into the pull request, in place of the comment of an earlier run. The link may be empty.
set -euo pipefail
marker='<!-- flamespan -->'
comment=$(cat flamespan/comment.md) # ends here if compare.sh did not run
body=$(printf '%s\n' "$marker" "$comment" ${2:+'' "[Page of flame graphs]($2)"})
comments=repos/$GITHUB_REPOSITORY/issues/$1/comments
earlier=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | tail -n 1)
if [ -n "$earlier" ]; then
  gh api --silent -X PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$earlier" -f body="$body"
else
  gh api --silent "$comments" -f body="$body"
fi
