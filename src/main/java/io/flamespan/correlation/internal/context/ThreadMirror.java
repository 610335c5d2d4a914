/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.localroot.LocalRootSampler;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.localroot.LocalRootTraceState;
import io.flamespan.correlation.internal.protocol.HexIds;
import io.flamespan.correlation.internal.protocol.ThreadRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What one thread shows to profilers. Used only by this thread. */
@SuppressWarnings("NullAway") // a thread that shows a span has records
class ThreadMirror implements Supplier<@Nullable Context> {
  /** The span id while the thread shows no trace. */
  private static final long NO_TRACE = 0;

  /**
   * The span id while a span is shown that the sampler dropped. A real span may have this same id.
   */
  private static final long DROPPED = Long.MIN_VALUE;

  private static final int ENDED_RUN = -1;

  final ContextMirror mirror;
  private final RecordFactory factory;
  private final Thread owner = Thread.currentThread();

  /**
   * The box through which the thread finds this mirror. A scope that keeps the mirror also keeps
   * the box.
   */
  Object @Nullable [] box;

  /** The current context, if it was attached through the storages of this package, which set it. */
  @Nullable Context current;

  /**
   * Must report before {@link #current} changes. Null if no embedded profiler follows this thread.
   */
  @Nullable SampledThread sampled;

  // Null before the first span, and always on virtual threads that are not to show traces.
  private @Nullable RecordWriter records;
  private @Nullable ThreadRecord ids; // the part that nearly all switches need
  private boolean idsSuffice = true;
  private boolean showAttributes;

  // The run of the mirror in which the fields below were written.
  private int run = ENDED_RUN;
  private long shownSpanId = NO_TRACE;

  // What else the records contain, even while they show no trace. These are ids rather than a
  // reference to the local root, because with some garbage collectors, storing a reference costs as
  // much as everything else.
  private long traceIdHigh;
  private long traceIdLow;
  private long localRootSpanId; // 0 if the records contain no trace to which a span could be added
  private @Nullable TraceFlags flags;

  // A span below a local root that has become current repeatedly, or only its id.
  private @Nullable SpanContext repeated;
  private long repeatedSpanId;

  // The name of a local root span that is not sampled and that carriers know. Null on platform
  // threads. While it is set, localRootSpanId is 0.
  private @Nullable String notSampled;

  ThreadMirror(ContextMirror mirror, RecordFactory factory) {
    this.mirror = mirror;
    this.factory = factory;
  }

  /** Returns the current context, to any thread. */
  @Override
  public @Nullable Context get() {
    return current;
  }

  boolean isOfCurrentThread() {
    return owner == Thread.currentThread();
  }

  boolean isIn(int run) {
    return this.run == run;
  }

  /**
   * Shows no trace, and discards what was shown in an earlier run of the mirror: the records were
   * cleared at its end, and another class loader may have written to them since.
   */
  void enter(int run) {
    if (records != null) {
      ids.showNoTraceAfterFailure(); // another class loader may have written to them since
      records = null; // another run may show different things
    }
    forgetShown();
    this.run = run;
  }

  /**
   * Like {@link #enter}, when no run begins. The records may show the trace of another class loader
   * by now.
   */
  void leave() {
    if (shownSpanId != NO_TRACE) {
      records.showNoTraceInPlaceOf(shownSpanId); // written while the records were cleared
    }
    forgetShown();
    run = ENDED_RUN;
  }

  private void forgetShown() {
    shownSpanId = NO_TRACE;
    localRootSpanId = 0;
    repeated = null;
    repeatedSpanId = 0;
    note(null);
  }

  /**
   * Abandons a mirror that its thread has lost. Nothing is current in it, and it writes nothing
   * more.
   */
  void abandon() {
    current = null;
    sampled = null;
  }

  /** Shows the span of a context, or no trace. */
  void show(@Nullable Context shown) {
    Span span = shown == null ? null : Span.fromContextOrNull(shown);
    if (span == null) {
      showNoTrace();
      return;
    }
    SpanContext context = span.getSpanContext();
    LocalRoot root = LocalRootTraceState.rootOf(context);
    if (root == null
        || root.spanId() != localRootSpanId
        || root.traceIdLow() != traceIdLow
        || root.traceIdHigh() != traceIdHigh
        || context.getTraceFlags() != flags
        || context.isRemote()
        || !root.isOfTrace(context)) {
      showAnew(span, context, root);
      return;
    }
    long spanId = context == repeated ? repeatedSpanId : spanIdOf(context, root);
    if (shownSpanId == NO_TRACE) {
      ids.showSpanOfLastTrace(spanId);
      shownSpanId = spanId;
    } else if (spanId != shownSpanId) {
      ids.changeSpan(spanId);
      shownSpanId = spanId;
    }
  }

  /**
   * Returns the id of a span, and remembers a span that was requested twice in a row. The first
   * time, only the id is stored, because storing a reference may cost as much as reading the id.
   */
  private long spanIdOf(SpanContext context, LocalRoot root) {
    long spanId = root.spanIdOf(context);
    if (spanId != root.spanId()) {
      if (spanId == repeatedSpanId) {
        repeated = context;
      } else if (repeated != null) {
        repeated = null;
      }
      repeatedSpanId = spanId;
    }
    return spanId;
  }

  /**
   * Shows a span if the last one was of another trace, if none was shown, or if the span has
   * attributes. Does not ask the span whether it is recorded unless the answer matters: before JDK
   * 23, HotSpot caches only one interface of a class and searches for the others, which takes as
   * long as the rest of this method.
   */
  private void showAnew(Span span, SpanContext context, @Nullable LocalRoot root) {
    if (context.isRemote() || !context.isValid()) {
      showNoTrace();
    } else if (root != null && root.isOpen() && root.isOfTrace(context)) {
      if (mirror.notesRoots()) {
        root.setCurrent();
      }
      note(root.isSampled() ? null : context);
      showOfRoot(
          span,
          context,
          root.traceIdHigh(),
          root.traceIdLow(),
          root.spanId(),
          context == repeated ? repeatedSpanId : spanIdOf(context, root));
    } else if (span instanceof ReadableSpan && LocalRootSpans.isLocalRoot((ReadableSpan) span)) {
      // None of our samplers has seen it.
      String traceId = context.getTraceId();
      long spanId = HexIds.parseLong(context.getSpanId(), 0);
      note(null);
      showOfRoot(
          span,
          context,
          HexIds.parseLong(traceId, 0),
          HexIds.parseLong(traceId, 16),
          spanId,
          spanId);
    } else {
      note(LocalRootSampler.keepsNames() ? context : null);
      if (context.isSampled()) {
        hide();
      } else {
        showDropped(context);
      }
    }
  }

  private void showOfRoot(
      Span span,
      SpanContext context,
      long traceIdHigh,
      long traceIdLow,
      long rootSpanId,
      long spanId) {
    if (!haveRecords()) {
      return;
    }
    localRootSpanId = 0; // until everything is written
    TraceFlags newFlags = context.getTraceFlags();
    byte flagBits = newFlags.asByte();
    if (showAttributes) {
      // Attributes may come from baggage, which can change while a span stays current.
      ReadableSpan readable = span instanceof ReadableSpan ? (ReadableSpan) span : null;
      records.showSpan(flagBits, traceIdHigh, traceIdLow, rootSpanId, spanId, readable, current);
    } else {
      ids.showSpan(flagBits, traceIdHigh, traceIdLow, spanId, rootSpanId);
    }
    this.traceIdHigh = traceIdHigh;
    this.traceIdLow = traceIdLow;
    if (newFlags != flags) {
      flags = newFlags;
    }
    shownSpanId = spanId;
    localRootSpanId = idsSuffice && notSampled == null ? rootSpanId : 0;
  }

  /** Shows a span without a recorded local root, if such spans are shown at all. */
  private void showDropped(SpanContext context) {
    if (factory.showsDroppedSpans() && haveRecords()) {
      localRootSpanId = 0; // the ids of the last trace are overwritten
      records.showDroppedSpan(context);
      shownSpanId = DROPPED;
    } else {
      hide();
    }
  }

  /**
   * Notes the name of the local root span of a span, if the former is not sampled. Must be called
   * before the records show the span.
   */
  @SuppressWarnings("ReferenceEquality") // the spans below a local root share its name
  private void note(@Nullable SpanContext span) {
    boolean isWanted = span != null && sampled != null && VirtualThreads.isCurrent();
    String root = isWanted ? LocalRootTraceState.nameOfRootNotSampled(span) : null;
    String name = root != null && haveRecords() ? root : null;
    if (name != notSampled) {
      localRootSpanId = 0;
      hide();
      NativeCarriers.noteNotSampled(name);
      notSampled = name;
    }
  }

  private boolean haveRecords() {
    if (records == null) {
      RecordWriter created = factory.ofCurrentThread();
      if (created != null) {
        ids = created.ids();
        idsSuffice = !created.showSpanAttributes();
        showAttributes = created.showAttributes();
        records = created; // last, because the stack may not be sufficient for the rest
      }
    }
    return records != null;
  }

  /** Shows no trace. */
  void showNoTrace() {
    hide();
    note(null);
  }

  private void hide() {
    if (shownSpanId != NO_TRACE) {
      ids.showNoTrace();
      shownSpanId = NO_TRACE;
    }
  }

  /** Shows no trace, after a failure that may have left the records half written. */
  void showNoTraceAfterFailure() {
    // The ids of the last trace may be overwritten. Done first, because the stack may be exhausted.
    localRootSpanId = 0;
    shownSpanId = DROPPED;
    if (records != null) {
      ids.showNoTraceAfterFailure();
    }
    shownSpanId = NO_TRACE;
    note(null);
  }

  /**
   * The mirror of a platform thread. The padding separates what this thread writes at each switch
   * from what other threads write: threads that write to the same cache line wait for each other. A
   * JVM may reorder the fields of one class, but not across classes.
   */
  @SuppressWarnings("unused")
  static final class Padded extends ThreadMirror {
    private long q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q10, q11, q12, q13, q14, q15;

    Padded(ContextMirror mirror, RecordFactory factory) {
      super(mirror, factory);
    }
  }
}
