/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.otelprofiling.correlation.internal.id.HexIds;
import io.otelprofiling.correlation.internal.memory.ThreadStorage;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.span.LocalRoot;
import io.otelprofiling.correlation.internal.span.LocalRootSpans;
import org.jspecify.annotations.Nullable;

/** What one thread shows to profilers, and the span it shows. Used by this thread only. */
final class ThreadMirror {
  /** Null on virtual threads, which own no thread-local storage: it is their carrier's. */
  private final @Nullable ThreadStorage storage;

  private @Nullable Span shownSpan;
  private @Nullable String shownTraceId;
  private @Nullable LocalRoot shownRoot;

  private ThreadMirror(@Nullable ThreadStorage storage) {
    this.storage = storage;
  }

  static ThreadMirror ofCurrentThread() {
    return new ThreadMirror(
        VirtualThreads.isCurrent() ? null : new ThreadStorage(NativeLibrary.threadRecord()));
  }

  /**
   * Shows the span, or that there is no trace.
   *
   * @return whether another span was shown before
   */
  boolean show(@Nullable Span span, LocalRootSpans localRoots) {
    if (span == shownSpan || storage == null) {
      return false;
    }
    LocalRoot root = span == null ? null : rootOf(span.getSpanContext(), localRoots);
    if (span == null || root == null) {
      return showNoTrace();
    }
    SpanContext context = span.getSpanContext();
    storage.showSpan(
        context.getTraceFlags().asByte(),
        root.traceIdHigh(),
        root.traceIdLow(),
        HexIds.parseLong(context.getSpanId(), 0),
        root.spanId());
    shownSpan = span;
    shownTraceId = context.getTraceId();
    shownRoot = root;
    return true;
  }

  /** Shows that there is no trace, and keeps no span. Returns whether there was one. */
  boolean showNoTrace() {
    if (shownSpan == null || storage == null) {
      return false;
    }
    storage.showNoTrace();
    shownSpan = null;
    shownTraceId = null;
    shownRoot = null;
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // the very string that the SDK hands to child spans
  private @Nullable LocalRoot rootOf(SpanContext context, LocalRootSpans localRoots) {
    if (context.getTraceId() == shownTraceId && !localRoots.hasSharedTraces()) {
      return shownRoot;
    }
    return localRoots.find(context);
  }
}
