/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.results;

/** The CPU time that samples found in this line of a function, not below it. */
public record LineTime(Frame frame, int line, long cpuNanos) {}
