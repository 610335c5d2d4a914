#!/bin/sh
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks that the built library has what profilers need: see docs/internals/rationale.md, "Native library".
set -u
library=$1
. "$(dirname "$0")/library-checks.sh"

name=elastic-jvmti-linux-$machine.so
check 'file name is that of the machine' "$(basename "$library")" "$name"
check 'and matches elastic-jvmti-linux-([\w-]*)\.so' \
  "$(echo "$name" | grep -c -E '^elastic-jvmti-linux-[A-Za-z0-9_-]*\.so$')" 1
check 'process storage symbol' \
  "$(symbol elastic_apm_profiling_correlation_process_storage_v1)" '8 OBJECT GLOBAL DEFAULT'
check 'thread-local storage symbol' \
  "$(symbol elastic_apm_profiling_correlation_tls_v1)" '8 TLS GLOBAL DEFAULT'
check 'status symbol' "$(symbol flamespan_status_v1)" '8 OBJECT GLOBAL DEFAULT'
check 'exported symbols' "$(exported_symbols)" \
  'JNI_OnLoad elastic_apm_profiling_correlation_process_storage_v1 elastic_apm_profiling_correlation_tls_v1 flamespan_status_v1 pc_bridge_attach '
check 'TLSDESC relocations that name the symbol' \
  "$(echo "$relocations" | grep -c "$relocation .*elastic_apm_profiling_correlation_tls_v1")" 1
check_profiled_library
check 'bytes of thread-local storage, pointer and padded record' "$(tls_size)" 48
check_portability

exit $failed
