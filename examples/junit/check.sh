#!/usr/bin/env bash
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# check.sh JUNIT_JAR PAGE_JAR
#
# Builds the project with Maven and several versions of JUnit, and with Gradle if there is one, and asks for the
# profile of each test. MVN and MVN_FLAGS are the Maven and its options. Installs the jar, as "make install" does.
set -euo pipefail
jar=$(realpath "$1") page=$(realpath "$2")
cd "$(dirname "$0")"
read -ra mvn <<< "${MVN:-mvn} ${MVN_FLAGS:--B -ntp} -q"

fail() {
  echo "check: $*" >&2
  exit 1
}

check() { # a directory with files of two processes
  [ "$(ls "$1" | wc -l)" = 2 ] || fail "$1 has not the files of two processes"
  java -jar "$page" endpoints "$1" > target/endpoints.md
  for test in 'PrimesTest\.bothWays_findTheSame.*\[2' 'PrimesTest\.sieve_ofAMillion_hasAllPrimes' 'SieveTest\.sieve_ofHundred'; do
    grep -q "io\.flamespan\.examples\.junit\.$test" target/endpoints.md || fail "there is no $test: $(cat target/endpoints.md)"
  done
  java -jar "$page" methods "$1" > target/methods.md
  grep -q 'Primes\.\(isPrime\|slowly\)' target/methods.md || fail "there is no isPrime: $(cat target/methods.md)"
}

"${mvn[@]}" org.apache.maven.plugins:maven-install-plugin:3.1.4:install-file -Dfile="$jar" \
  -DpomFile="$(dirname "$jar")/published-pom.xml"
for version in ${JUNIT_VERSIONS:-5.8.2 5.14.1 6.0.1}; do
  "${mvn[@]}" clean test -Djunit.version="$version" > target.log 2>&1 || fail "JUnit $version: $(cat target.log)"
  rm target.log
  check target/flamespan
  echo "JUnit $version with Maven: each test has its profile"
done
if command -v gradle > /dev/null; then
  gradle -q --no-daemon clean test
  check build/flamespan
  echo "Gradle: each test has its profile"
else
  echo "SKIPPED: Gradle, which is not installed"
fi
