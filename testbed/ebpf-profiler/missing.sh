#!/bin/sh
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# Prints what the profiler or the scenarios need and this machine lacks, or nothing if they can run.
[ "$(id -u)" = 0 ] || { echo "needs root"; exit; }
command -v "${GO:-go}" > /dev/null || { echo "needs Go"; exit; }
[ -e /sys/kernel/btf/vmlinux ] || { echo "needs a kernel with BPF type information"; exit; }
unshare --mount --pid --fork sh -c 'mount -t tracefs none /sys/kernel/tracing' 2> /dev/null ||
  echo "needs the right to mount tracefs and to create namespaces"
