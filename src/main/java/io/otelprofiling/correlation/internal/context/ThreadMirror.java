/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;
import io.otelprofiling.correlation.internal.protocol.HexIds;
import io.otelprofiling.correlation.internal.protocol.ShownSpan;
import org.jspecify.annotations.Nullable;

/** What one thread shows to profilers. Used by this thread only. */
@SuppressWarnings("NullAway") // where there is a last root or a shown span, there are records
class ThreadMirror extends ThreadMirrorPadding {
  /** The span id while no trace is shown. */
  static final long NO_TRACE = 0;

  /**
   * The span id while a span is shown that the sampler dropped. If a recorded span has this very
   * id, it is looked at anew where others need not be.
   */
  private static final long UNRECORDED = Long.MIN_VALUE;

  private static final int ENDED_RUN = -1;
  private static final int MANY = 8;

  final ContextMirror mirror;
  private final Thread owner = Thread.currentThread();

  /** The box in which its thread finds it. A scope that keeps the mirror thus keeps the box. */
  Object @Nullable [] box;

  /** The current context, if the storages attached it; used by them. */
  @Nullable Context current;

  // Null before the first span, and always on virtual threads if those are not to be shown.
  private @Nullable ThreadRecords records;
  private @Nullable ShownSpan ids; // the part of them that nearly all switches need

  // The run of the mirror in which the fields below were written.
  private int run = ENDED_RUN;
  private long shownSpanId = NO_TRACE;

  // What else the records contain, even while it shows no trace. A garbage collector may make
  // writing a reference cost as much as all the rest, so the root is stored, but not the span.
  private @Nullable LocalRoot lastRoot;
  private @Nullable TraceFlags lastFlags;
  private boolean idsSuffice = true;
  private boolean showAttributes;

  // Spans that were current more than once, for threads on which traces take turns.
  private RecentSpans recentSpans = RecentSpans.NONE;

  // Two spans of the last trace, for threads that stay with one trace. Null if there are none.
  private @Nullable SpanContext contextA;
  private @Nullable SpanContext contextB;
  private long spanIdA;
  private long spanIdB;
  private int foundInTrace;

  private ThreadMirror(ContextMirror mirror) {
    this.mirror = mirror;
  }

  static ThreadMirror ofCurrentThread(ContextMirror mirror) {
    return new Padded(mirror);
  }

  boolean isOfCurrentThread() {
    return owner == Thread.currentThread();
  }

  /** Returns what {@link #showAgain} needs to know, which between two runs is nothing. */
  long shownSpanId() {
    return run == ENDED_RUN ? UNRECORDED : shownSpanId;
  }

  @Nullable LocalRoot lastRoot() {
    return lastRoot;
  }

  boolean isIn(int run) {
    return this.run == run;
  }

  /**
   * Shows no trace, and discards what was shown in an earlier run of the mirror: the records were
   * cleared at its end, and another class loader may have written it since.
   */
  void enter(int run) {
    if (records != null) {
      ids.showNoTraceAfterFailure(); // whatever another class loader may have written since
      records = null; // what is to be shown may have changed
    }
    forgetShown();
    this.run = run;
  }

  /**
   * Does the same if no run begins, when the records may show the trace of another class loader.
   */
  void leave() {
    if (shownSpanId != NO_TRACE) {
      records.showNoTraceInPlaceOf(shownSpanId); // it was written while the records were cleared
    }
    forgetShown();
    run = ENDED_RUN;
  }

  private void forgetShown() {
    shownSpanId = NO_TRACE;
    lastRoot = null;
    recentSpans = RecentSpans.NONE;
    forgetSpansOfTrace();
  }

  private void forgetSpansOfTrace() {
    foundInTrace = 0;
    if (contextA != null) {
      contextA = null;
      contextB = null;
    }
  }

  /**
   * Abandons a mirror that its thread has lost: nothing is current in it, and it writes no more.
   */
  void abandon() {
    current = null;
  }

  /**
   * Shows the span, or that there is no trace.
   *
   * <p>This is one method because that makes it longer than what HotSpot inlines (325 bytes of
   * code): its callers stay short enough to be inlined, so that scopes need not be allocated.
   */
  void show(@Nullable Span span, LocalRootSpans localRoots) {
    // Remote spans and spans that the sampler dropped are wrapped span contexts.
    if (!(span instanceof ReadableSpan)) {
      showUnrecorded(span);
      return;
    }
    SpanContext context = span.getSpanContext();
    LocalRoot root = lastRoot;
    long spanId;
    if (context == contextA) {
      spanId = spanIdA;
    } else if (context == contextB) {
      spanId = spanIdB;
    } else {
      TraceFlags flags = context.getTraceFlags();
      int place = recentSpans.find(context);
      if (place != RecentSpans.NOWHERE) {
        root = recentSpans.root(place);
        spanId = recentSpans.spanId(place);
      } else {
        spanId = HexIds.parseLong(context.getSpanId(), 0);
        // The string object of a trace id shows to which root a span belongs, but an evicted local
        // root, or one of another SDK, may have the same.
        if (root == null
            || !root.hasString(context.getTraceId())
            || !root.ownsString()
            || (spanId != root.spanId() && LocalRootSpans.isLocalRoot((ReadableSpan) span))) {
          root = localRoots.find((ReadableSpan) span);
          if (root == null || !haveRecords()) {
            showNoTrace();
            return;
          }
        }
        if (recentSpans == RecentSpans.NONE) {
          recentSpans = RecentSpans.ofCurrentThread();
        }
        recentSpans.add(context, root, spanId);
      }
      if (root != lastRoot || flags != lastFlags) {
        showSpan(flags.asByte(), root, spanId, (ReadableSpan) span);
        idsSuffice &= root != lastRoot;
        lastRoot = root;
        if (flags != lastFlags) {
          lastFlags = flags;
        }
        shownSpanId = spanId;
        forgetSpansOfTrace();
        return;
      }
      if (place != RecentSpans.NOWHERE && ++foundInTrace > MANY) {
        contextB = contextA;
        spanIdB = spanIdA;
        contextA = context;
        spanIdA = spanId;
      }
    }
    if (!idsSuffice) {
      // Attributes may come from baggage, which changes while a span stays current.
      records.showSpanOfLastTrace(spanId, (ReadableSpan) span, current);
      shownSpanId = spanId;
    } else if (spanId != shownSpanId) {
      showSpanOfLastTrace(spanId);
    }
  }

  private void showSpan(byte flags, LocalRoot root, long spanId, ReadableSpan span) {
    if (showAttributes) {
      records.showSpan(flags, root, spanId, span, current);
    } else {
      ids.showSpan(flags, root.traceIdHigh(), root.traceIdLow(), spanId, root.spanId());
    }
  }

  private void showSpanOfLastTrace(long spanId) {
    if (shownSpanId != NO_TRACE) {
      ids.changeSpan(spanId);
    } else {
      ids.showSpanOfLastTrace(spanId);
    }
    shownSpanId = spanId;
  }

  /** Shows a span that is not recorded by this process, if such spans are to be shown. */
  private void showUnrecorded(@Nullable Span span) {
    SpanContext context = span == null ? SpanContext.getInvalid() : span.getSpanContext();
    if (!context.isValid()
        || context.isRemote()
        || !mirror.showsUnrecordedSpans()
        || !haveRecords()) {
      showNoTrace();
      return;
    }
    records.showUnrecordedSpan(context);
    shownSpanId = UNRECORDED;
    // The ids of the last trace are overwritten.
    lastRoot = null;
    forgetSpansOfTrace();
  }

  private boolean haveRecords() {
    if (records == null) {
      ThreadRecords created = mirror.newRecordsOfCurrentThread();
      if (created != null) {
        ids = created.ids();
        idsSuffice = !created.showSpanAttributes();
        showAttributes = created.showAttributes();
        records = created; // last, as there may be no stack left for the rest
      }
    }
    return records != null;
  }

  /**
   * Shows what was shown before.
   *
   * @param root the last root at that time
   * @return false if these ids do not suffice
   */
  boolean showAgain(@Nullable LocalRoot root, long spanId) {
    if (spanId == NO_TRACE) {
      showNoTrace();
    } else if (root != null && root == lastRoot && idsSuffice) {
      if (spanId != shownSpanId) {
        showSpanOfLastTrace(spanId);
      }
    } else {
      return false;
    }
    return true;
  }

  /** Shows that there is no trace. */
  void showNoTrace() {
    if (shownSpanId != NO_TRACE) {
      ids.showNoTrace();
      shownSpanId = NO_TRACE;
    }
  }

  /** Shows that there is no trace, after a failure that may have left the records half written. */
  void showNoTraceAfterFailure() {
    // The ids of the last trace may be overwritten. This comes first: there may be no stack left.
    lastRoot = null;
    shownSpanId = UNRECORDED;
    forgetSpansOfTrace();
    if (records != null) {
      ids.showNoTraceAfterFailure();
    }
    shownSpanId = NO_TRACE;
  }

  /**
   * Pads the fields at their end. A JVM may reorder the fields of one class, but not across
   * classes.
   */
  @SuppressWarnings("unused")
  private static final class Padded extends ThreadMirror {
    private long q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15;

    Padded(ContextMirror mirror) {
      super(mirror);
    }
  }
}

/**
 * Keeps what a thread writes at each switch away from what other threads write: threads that write
 * to the same cache line wait for each other.
 */
abstract class ThreadMirrorPadding {
  @SuppressWarnings("unused")
  private long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;
}
