#!/usr/bin/env bash
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes flamespan/comment.md into the merge request. FLAMESPAN_TOKEN is a project access token with the scope "api":
# the token of a job must not comment.
set -euo pipefail
page=flamespan/page/flame-graphs.html
cp flamespan/comment.md flamespan/note.md # ends here if compare.sh did not run
[ ! -e "$page" ] || printf '\n%s\n' "[Page of flame graphs]($CI_JOB_URL/artifacts/file/$page)" >> flamespan/note.md
curl --silent --show-error --fail --output /dev/null --header "PRIVATE-TOKEN: $FLAMESPAN_TOKEN" \
  --data-urlencode body@flamespan/note.md \
  "$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes"
