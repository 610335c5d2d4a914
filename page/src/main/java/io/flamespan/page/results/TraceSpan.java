/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import io.flamespan.page.timeline.Measured;

/**
 * A span of a trace.
 *
 * @param parentId 0 if it has no parent
 * @param service with its namespace, if it has one
 * @param startNanos since the epoch
 * @param tally the sum of the samples that name this span, empty without any
 */
public record TraceSpan(
    long id,
    long parentId,
    String name,
    String service,
    long startNanos,
    long durationNanos,
    boolean localRoot,
    boolean failed,
    Tally tally,
    Measured measured) {}
