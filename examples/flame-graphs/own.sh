#!/usr/bin/env bash
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs an application of the user with the OpenTelemetry Java agent and the embedded profiler, serves the page
# meanwhile, and makes a file of it when the application ends. The Makefile of the tree sets the variables; paths in
# APP begin in the directory of the tree.
set -euo pipefail
files=$BUILD/otlp page=$BUILD/page
prefix=-Dflamespan.embedded.profiler

fail() {
  echo "flame-graphs: $*" >&2
  exit 1
}

[[ $RATE =~ ^[1-9][0-9]{0,2}$ ]] || fail "RATE is $RATE: it has to be a number of samples a second from 1 to 999"
events=${EVENTS:-cpu,wall,stops,lock,alloc}
rm -rf "$files" "$page"
mkdir -p "$files"

options=(-javaagent:"$AGENT" -Dotel.javaagent.extensions="$EXTENSION"
  $prefix=on $prefix.directory="$files" $prefix.period=$((1000 / RATE))ms $prefix.events="$events"
  -Dotel.traces.exporter=none -Dotel.metrics.exporter=none -Dotel.logs.exporter=none)
# From JDK 24 on, this spares warnings about native code.
! "$JAVA" --enable-native-access=ALL-UNNAMED -version > /dev/null 2>&1 || options+=(--enable-native-access=ALL-UNNAMED)
# Ctrl-C is for the application.
exec {served}< <(trap '' INT && exec "$JAVA" -jar "$PAGE_JAR" serve "$files")
server=$!
trap 'kill "$server" 2> /dev/null || true' EXIT
if read -r -t 60 address <&"$served"; then
  echo "$address"
  echo "It follows the application. Ctrl-C ends both, and makes a file of the page."
else
  echo "The page is not served; lines above may say why. Ctrl-C ends the application, and makes a file of the page."
fi
trap : INT # the application gets Ctrl-C as well
# At a terminal, the application alone gets it: make would report it as an error.
! [ -t 0 ] || set -m
status=0
# shellcheck disable=SC2086 # It has several options, as on a command line.
"$JAVA" "${options[@]}" $APP || status=$?
set +m
echo "The application has ended with status $status."
"$JAVA" -jar "$PAGE_JAR" --out "$page" "$files" || fail "There is no page; the lines above say why"
echo "Questions: $JAVA -jar $PAGE_JAR endpoints $files (each answer names the next question; --help names all)"
echo "Page: file://$page/flame-graphs.html"
