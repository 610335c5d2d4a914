/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Frame;
import io.flamespan.page.results.ThreadName;
import io.flamespan.page.results.WaitReasons;
import io.flamespan.page.timeline.Held;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A sample that tells who held a lock last before a wait ended.
 *
 * @param link the number of the Link to the span that waited
 * @param lock the frame of the class of the lock
 * @param ofRequest whether the holder may have worked for a request
 * @param holder the local root span of this request, null if that is not known
 * @param notSampled the name of this span if it is not sampled, or the empty string
 * @param thread the name of the thread that held it, or the empty string
 */
record Holding(
    int link,
    @Nullable Frame lock,
    long unixNanos,
    long nanos,
    boolean ofRequest,
    @Nullable SpanKey holder,
    String notSampled,
    String thread) {

  Held held(WaitReasons reasons, Spans spans) {
    String endpoint =
        Optional.ofNullable(holder)
            .map(spans::find)
            .flatMap(spans::localRootOf)
            .map(ReceivedSpan::name)
            .orElse("");
    return Held.of(
        reasons.ofLock(lock),
        lock == null ? "" : lock.name(),
        ofRequest,
        endpoint,
        notSampled,
        thread.isEmpty() ? "" : ThreadName.of(thread));
  }
}
