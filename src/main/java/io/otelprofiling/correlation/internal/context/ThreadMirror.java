/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.id.HexIds;
import io.otelprofiling.correlation.internal.memory.ThreadStorage;
import io.otelprofiling.correlation.internal.span.LocalRoot;
import io.otelprofiling.correlation.internal.span.LocalRootSpans;
import org.jspecify.annotations.Nullable;

/** What one thread shows to profilers. Used by this thread only. */
@SuppressWarnings("NullAway") // where there is a last root or a shown span, there is a record
class ThreadMirror extends ThreadMirrorPadding {
  /** The span id while no trace is shown. */
  static final long NO_TRACE = 0;

  private static final int RECENT_ON_PLATFORM_THREAD = 256; // powers of two
  private static final int RECENT_ON_VIRTUAL_THREAD = 4;

  private static final int SPREAD = 0x9e3779b1;

  final ContextMirror mirror;
  private final Thread owner = Thread.currentThread();

  /** For the storages: what is current, if it was attached by them. */
  @Nullable Context current;

  // Null before the first span, and for ever on virtual threads where those are not to be shown.
  private @Nullable ThreadStorage record;

  // Spans that were shown lately, by the hash of their ids: looking one up and reading its ids
  // takes longer than showing it. A span has one context object, and keeps its local root.
  private final SpanContext[] contexts;
  private final LocalRoot[] roots;
  private final long[] spanIds;
  private boolean replaceOther;

  // What the record contains besides the span, also while it shows no trace. Numbers only: a
  // garbage collector may make writing a reference cost as much as all the rest.
  private short lastSlot;
  private byte lastFlags;
  private long shownSpanId = NO_TRACE;

  private ThreadMirror(ContextMirror mirror, int recentSpans) {
    this.mirror = mirror;
    contexts = new SpanContext[recentSpans];
    roots = new LocalRoot[recentSpans];
    spanIds = new long[recentSpans];
  }

  static ThreadMirror ofCurrentThread(ContextMirror mirror) {
    return new Padded(
        mirror, VirtualThreads.isCurrent() ? RECENT_ON_VIRTUAL_THREAD : RECENT_ON_PLATFORM_THREAD);
  }

  boolean isOfCurrentThread() {
    return owner == Thread.currentThread();
  }

  long shownSpanId() {
    return shownSpanId;
  }

  @Nullable LocalRoot lastRoot() {
    return roots[lastSlot];
  }

  short lastSlot() {
    return lastSlot;
  }

  byte lastFlags() {
    return lastFlags;
  }

  /**
   * Shows the span, or that there is no trace.
   *
   * <p>In one piece, because that makes it longer than what HotSpot inlines (325 bytes of code):
   * its callers stay short enough to be inlined, so that scopes need not be allocated.
   */
  void show(@Nullable Span span, LocalRootSpans localRoots) {
    // Remote spans and spans that the sampler dropped are wrapped span contexts.
    if (!(span instanceof ReadableSpan)) {
      showNoTrace();
      return;
    }
    SpanContext context = span.getSpanContext();
    if (context == contexts[lastSlot] && shownSpanId == spanIds[lastSlot]) {
      return;
    }
    String hexId = context.getSpanId();
    LocalRoot lastRoot = roots[lastSlot];
    LocalRoot root;
    long spanId;
    // Each span has two places, so that spans which take turns find one each.
    int hash = hexId.hashCode();
    int slot = hash & (contexts.length - 1);
    int otherSlot = ((hash * SPREAD) >>> Short.SIZE) & (contexts.length - 1);
    if (contexts[slot] == context) {
      root = roots[slot];
      spanId = spanIds[slot];
    } else if (contexts[otherSlot] == context) {
      slot = otherSlot;
      root = roots[slot];
      spanId = spanIds[slot];
    } else {
      root = localRoots.find((ReadableSpan) span);
      if (root != null && record == null) {
        record = mirror.newRecordOfCurrentThread();
      }
      if (root == null || record == null) {
        showNoTrace();
        return;
      }
      spanId = HexIds.parseLong(hexId, 0);
      replaceOther = !replaceOther;
      if (replaceOther) {
        slot = otherSlot;
      }
      contexts[slot] = context;
      spanIds[slot] = spanId;
      if (roots[slot] != root) {
        roots[slot] = root;
      }
    }
    byte flags = context.getTraceFlags().asByte();
    if (root != lastRoot || flags != lastFlags) {
      record.showSpan(flags, root.traceIdHigh(), root.traceIdLow(), spanId, root.spanId());
      lastFlags = flags;
    } else if (spanId != shownSpanId) {
      record.showSpanOfLastTrace(spanId);
    }
    lastSlot = (short) slot;
    shownSpanId = spanId;
  }

  /**
   * Shows what was shown before.
   *
   * @param slot the last slot at that time, and so the other arguments
   * @return false if these do not tell
   */
  boolean showAgain(short slot, @Nullable LocalRoot root, byte flags, long spanId) {
    if (spanId == NO_TRACE) {
      showNoTrace();
      return true;
    }
    if (root == null || roots[slot] != root) {
      return false;
    }
    if (roots[lastSlot] != root || flags != lastFlags) {
      record.showSpan(flags, root.traceIdHigh(), root.traceIdLow(), spanId, root.spanId());
      lastFlags = flags;
    } else if (spanId != shownSpanId) {
      record.showSpanOfLastTrace(spanId);
    }
    lastSlot = slot;
    shownSpanId = spanId;
    return true;
  }

  /** Shows that there is no trace. */
  void showNoTrace() {
    if (shownSpanId != NO_TRACE) {
      record.showNoTrace();
      shownSpanId = NO_TRACE;
    }
  }

  /** The same where it is not certain what the record contains. */
  void showNoTraceAfterFailure() {
    roots[lastSlot] = null;
    contexts[lastSlot] = null;
    showNoTrace();
  }

  /** The virtual machine is free to order the fields of one class, but not those of several. */
  @SuppressWarnings("unused")
  private static final class Padded extends ThreadMirror {
    private long q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15;

    Padded(ContextMirror mirror, int recentSpans) {
      super(mirror, recentSpans);
    }
  }
}

/**
 * Keeps what a thread writes at each switch away from what other threads write: on the same cache
 * line, each of them waits for the other.
 */
abstract class ThreadMirrorPadding {
  @SuppressWarnings("unused")
  private long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;
}
