#!/bin/sh
# Copyright The Flamespan Authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the profiler with these arguments, as root. "make profiler" builds it. A new mount namespace
# makes the mount disappear with the profiler. The higher priority is needed next to dozens of busy
# threads: without it, samples are sent seconds later, after the spans.
build=$(dirname "$(readlink -f "$0")")/build
# shellcheck disable=SC2016 # The inner shell expands the arguments.
exec unshare --mount sh -c 'mount -t tracefs none /sys/kernel/tracing; exec "$@"' sh \
  nice -n -20 "$build/ignore-memlock-limit" "$build/ebpf-profiler" "$@"
