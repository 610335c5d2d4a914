/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.List;

/** An ended local root span that waits for its stack trace ids. */
final class DelayedSpan {
  final long endNanos;
  private final ReadableSpan span;
  private final LocalRoot root;

  DelayedSpan(ReadableSpan span, LocalRoot root, long endNanos) {
    this.span = span;
    this.root = root;
    this.endNanos = endNanos;
  }

  /** The span as it goes on, with the ids that have arrived. */
  ReadableSpan release() {
    List<String> stackTraceIds = root.freeze();
    return stackTraceIds.isEmpty() ? span : new CorrelatedSpan(span, stackTraceIds);
  }
}
