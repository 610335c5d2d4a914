#!/bin/sh
# Copyright The OpenTelemetry Profiling Correlation Authors
# SPDX-License-Identifier: Apache-2.0
#
# Proves on the built library what profilers need of it: see docs/rationale.md, "Native library".
set -u
library=$1
readelf=${READELF:-readelf}
failed=0

check() {
  if [ "$2" = "$3" ]; then
    echo "ok      $1: $2"
  else
    echo "FAILED  $1: expected '$3', found '$2'"
    failed=1
  fi
}

case $("$readelf" -W -h "$library" | sed -n 's/^ *Machine: *//p') in
  *X86-64)
    name=elastic-jvmti-linux-x64.so
    relocation=R_X86_64_TLSDESC
    page=0x1000
    ;;
  AArch64)
    name=elastic-jvmti-linux-arm64.so
    relocation=R_AARCH64_TLSDESC
    page=0x10000
    ;;
  *)
    echo "FAILED  $library is for neither x86-64 nor arm64"
    exit 1
    ;;
esac

dynsym=$("$readelf" -W --dyn-syms "$library")
relocations=$("$readelf" -W -r "$library")
dynamic=$("$readelf" -W -d "$library")
segments=$("$readelf" -W -l "$library")
sections=$("$readelf" -W -S "$library")

symbol() { # size, type, binding and visibility
  echo "$dynsym" | awk -v name="$1" '$8 == name && $7 != "UND" {print $3, $4, $5, $6}'
}

check 'file name is that of the machine' "$(basename "$library")" "$name"
check 'and matches elastic-jvmti-linux-([\w-]*)\.so' \
  "$(echo "$name" | grep -c -E '^elastic-jvmti-linux-[A-Za-z0-9_-]*\.so$')" 1
check 'process storage symbol' \
  "$(symbol elastic_apm_profiling_correlation_process_storage_v1)" '8 OBJECT GLOBAL DEFAULT'
check 'thread-local storage symbol' \
  "$(symbol elastic_apm_profiling_correlation_tls_v1)" '8 TLS GLOBAL DEFAULT'
check 'exported symbols' \
  "$(echo "$dynsym" | awk '$5 ~ /GLOBAL|WEAK/ && $7 != "UND" {print $8}' | sort | tr '\n' ' ')" \
  'JNI_OnLoad elastic_apm_profiling_correlation_process_storage_v1 elastic_apm_profiling_correlation_tls_v1 pc_bridge_attach '
check 'TLSDESC relocations that name the symbol' \
  "$(echo "$relocations" | grep -c "$relocation .*elastic_apm_profiling_correlation_tls_v1")" 1
check 'relocation sections that are not RELA' "$(echo "$sections" | grep -c -E ' REL +[0-9a-f]')" 0
check 'bound at load time' "$(echo "$dynamic" | grep -c 'FLAGS_1.*NOW')" 1
check 'never unloaded' "$(echo "$dynamic" | grep -c 'FLAGS_1.*NODELETE')" 1
check 'libraries needed beside libc' \
  "$(echo "$dynamic" | grep NEEDED | grep -v -c -E '\[(libc\.so\.6|ld-linux[a-z0-9_.-]*)\]')" 0
tls_size=$(echo "$segments" | awk '$1 == "TLS" {print $6}')
check 'bytes of thread-local storage, pointer and padded record' "$((tls_size))" 48
newest=$("$readelf" -W --version-info "$library" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' |
  sort -t. -k1,1n -k2,2n | tail -1)
check "newest GLIBC symbol version ($newest) is 2.17 or lower" \
  "$(printf '%s\n2.17\n' "$newest" | sort -t. -k1,1n -k2,2n | tail -1)" 2.17
check 'internal symbols of libc, which musl may lack' \
  "$(echo "$dynsym" | awk '$7 == "UND" && $8 ~ /^__/ {sub("@.*", "", $8); print $8}' | sort | tr '\n' ' ')" \
  '__cxa_finalize __errno_location __gmon_start__ '
check 'alignment of segments, for the largest pages that kernels have' \
  "$(echo "$segments" | awk '$1 == "LOAD" {print $NF}' | sort -u)" "$page"
check 'stack is not executable' "$(echo "$segments" | grep -c 'GNU_STACK.*RWE')" 0

exit $failed
