#!/bin/sh
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks that a profiler cannot mistake the built library that binds sockets for the other one.
set -u
library=$1
. "$(dirname "$0")/library-checks.sh"

check 'file name' "$(basename "$library")" "flamespan-sockets-linux-$machine.so"
check 'exported symbols' "$(exported_symbols)" 'JNI_OnLoad '
check 'segments of thread-local storage' "$(echo "$segments" | grep -c '^ *TLS ')" 0
check_portability

exit $failed
