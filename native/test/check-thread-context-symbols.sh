#!/bin/sh
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks that the built thread context library has what profilers need (OTEP 4947, section
# "Thread-Local Variable Resolution"), and nothing that they could mistake for the other protocol.
set -u
library=$1
. "$(dirname "$0")/library-checks.sh"

name=otel-thread-context-linux-$machine.so
native=Java_io_flamespan_correlation_internal_nativelib_ThreadContextLibrary
check 'file name is that of the machine' "$(basename "$library")" "$name"
check 'and does not match elastic-jvmti-linux-([\w-]*)\.so' \
  "$(echo "$name" | grep -c -E 'elastic-jvmti-linux-[A-Za-z0-9_-]*\.so')" 0
check 'thread-local symbol' "$(symbol otel_thread_ctx_v1)" '8 TLS GLOBAL DEFAULT'
check 'exported symbols' "$(exported_symbols)" "${native}_isStatic0 ${native}_slot0 otel_thread_ctx_v1 "
check 'symbols of the other protocol' "$("$readelf" -W -s "$library" | grep -c elastic)" 0
check 'TLSDESC relocations that name the symbol' \
  "$(echo "$relocations" | grep -c "$relocation .*otel_thread_ctx_v1")" 1
check 'TLSDESC relocations' "$(echo "$relocations" | grep -c TLSDESC)" 1
check 'hash tables of the dynamic symbols' "$(echo "$dynamic" | grep -c -E '\((GNU_)?HASH\)')" 2
check_profiled_library
check 'bytes of thread-local storage' "$(tls_size)" 8
check_portability

exit $failed
