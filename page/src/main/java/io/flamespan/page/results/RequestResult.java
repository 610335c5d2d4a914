/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import io.flamespan.page.timeline.Measured;

/**
 * A local root span with its samples.
 *
 * @param trace the same object for all requests of a trace
 * @param startNanos since the epoch
 * @param hasDuration whether it is known; it may be 0
 */
public record RequestResult(
    TraceResult trace,
    long spanId,
    long startNanos,
    boolean hasDuration,
    long durationNanos,
    Tally tally,
    Measured measured) {}
