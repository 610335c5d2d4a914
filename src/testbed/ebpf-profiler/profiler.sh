#!/bin/sh
# Copyright The OpenTelemetry Profiling Correlation Authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the profiler with these arguments, as root, once "make profiler" has built it. It gets its
# own mount namespace, so that the mount disappears with it. Behind dozens of busy threads it would
# send its samples seconds later, when the spans are gone; hence the priority.
build=$(dirname "$(readlink -f "$0")")/build
# shellcheck disable=SC2016 # The inner shell expands them.
exec unshare --mount sh -c 'mount -t tracefs none /sys/kernel/tracing; exec "$@"' sh \
  nice -n -20 "$build/ignore-memlock-limit" "$build/ebpf-profiler" "$@"
