/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.protocol.HexIds;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Decides which spans are local roots, and knows which receive samples: every sampled one, from its
 * start until it has been passed on to all processors, or until it cannot end any more.
 * Thread-safe.
 *
 * <p>A span is a local root if its parent is not a span of this process. Whether it is:
 *
 * <table>
 *   <caption>Parents</caption>
 *   <tr><td>none, or a remote one</td><td>no</td></tr>
 *   <tr><td>has a {@link LocalRootTraceState} of its trace</td><td>yes: the plug-in's sampler has
 *       seen the span or one above it, recorded or dropped</td></tr>
 *   <tr><td>has none, but is a span of an SDK or records</td><td>yes: it started before the plug-in,
 *       or the sampler of its SDK is not wrapped. Its local root is unknown</td></tr>
 *   <tr><td>only a context: made by {@code SpanContext.create}, or dropped by a sampler that is not
 *       wrapped, or a copy of a span's context without its trace state</td><td>no: these cannot be
 *       told apart</td></tr>
 * </table>
 *
 * The sampler decides once, and gives each local root a trace state. Everything else recognizes a
 * local root by a trace state that leads elsewhere than its parent's. Where no sampler of the
 * plug-in has seen a span, it is a local root only without a parent, or with a remote one.
 */
public final class LocalRootSpans {
  private static final int MAX_ROOTS = 1 << 21;
  private static final int MIN_ROOTS = 1 << 14; // twice the default length of the queue
  private static final int HEAP_SHARE = 16;
  private static final int BYTES = 216; // of an entry whose span is gone, with its digits
  private static final int TABLE_BITS = 6; // so that threads rarely contend for one table

  private final int maxRoots;
  private final LocalRootTable[] tables = new LocalRootTable[1 << TABLE_BITS];
  private final LongAdder displaced = new LongAdder();
  private final RateLimitedLogger logger = new RateLimitedLogger(LocalRootSpans.class);

  public LocalRootSpans() {
    this(maxRoots(Runtime.getRuntime().maxMemory()));
  }

  LocalRootSpans(int maxRoots) {
    this.maxRoots = maxRoots;
    for (int i = 0; i < tables.length; i++) {
      tables[i] = new LocalRootTable(Math.max(1, maxRoots >>> TABLE_BITS));
    }
    // Loads classes: if that fails, the plug-in stays off instead of failing on each span. A class
    // that is loaded late may not be there any more, because the jar was replaced.
    LocalRoot rehearsal = LocalRoot.create(LocalRoot.class);
    boolean unused =
        LocalRootTraceState.ofDroppedRoot(TraceState.getDefault(), "").isEmpty()
            && rehearsal.retain()
            && rehearsal.add(1, 1, 1, 1) == 1
            && rehearsal.leave(false).ids().get(0).isEmpty();
  }

  /** Returns how many local root spans may run at a time with a heap of this size. */
  static int maxRoots(long maxHeap) {
    return (int) Math.max(MIN_ROOTS, Math.min(MAX_ROOTS, maxHeap / HEAP_SHARE / BYTES));
  }

  /** Returns whether a span below this one is a local root. Asked by the sampler. */
  public static boolean isLocalRootBelow(Span parent) {
    SpanContext context = parent.getSpanContext();
    if (hasNoLocalParent(context)) {
      return true;
    }
    if (context.getTraceState() instanceof LocalRootTraceState) {
      LocalRoot root = LocalRootTraceState.rootOf(context);
      return root != null && root.isOpen() && !root.hasTraceIdOf(context);
    }
    return !(parent instanceof ReadableSpan) && !parent.isRecording();
  }

  /** Returns whether the span is a local root. Asked by everything but the sampler. */
  public static boolean isLocalRoot(ReadableSpan span) {
    SpanContext parent = span.getParentSpanContext();
    if (hasNoLocalParent(parent)) {
      return true;
    }
    LocalRoot root = LocalRootTraceState.rootOf(span.getSpanContext());
    return root != null && root != LocalRootTraceState.rootOf(parent);
  }

  private static boolean hasNoLocalParent(SpanContext parent) {
    return parent.isRemote() || !parent.isValid();
  }

  /**
   * Must be called when a recording local root span starts, before it is used.
   *
   * @return false if no sampler of the plug-in has seen the span, so spans below it will not know
   *     their local root
   */
  public boolean onStart(SpanContext span) {
    LocalRoot root = LocalRootTraceState.rootOf(span);
    boolean isKnownBelow = root != null && root.open(span);
    if (root == null || !isKnownBelow) {
      if (root != null && !root.is(span)) {
        root.disownSpansBelow();
      }
      root = LocalRoot.create(LocalRoot.class);
      root.open(span);
    }
    int hash = LocalRootTable.hash(root);
    if (span.isSampled() && !table(hash).add(hash, root)) {
      displaced.increment();
      logger.warn(
          "Too many local root spans have not ended: some are exported without stack traces, as "
              + maxRoots
              + " may run at a time, in "
              + (((long) maxRoots * BYTES) >> 20)
              + " MB of the heap. Check that every span that is started is ended");
    }
    return isKnownBelow;
  }

  /**
   * Must be called when a recording local root span has ended, after processors retain it. Returns
   * its entry, or null if there is none.
   */
  public @Nullable LocalRoot onEnd(SpanContext span) {
    LocalRoot root = entryOf(span);
    if (root != null && root.end()) {
      remove(root);
    }
    return root;
  }

  /** Returns the entry of a local root span, or null for other spans and unknown ones. */
  public @Nullable LocalRoot entryOf(SpanContext span) {
    LocalRoot root = LocalRootTraceState.rootOf(span);
    if (root != null && root.is(span)) {
      return root;
    }
    String traceId = span.getTraceId();
    return find(
        HexIds.parseLong(traceId, 0),
        HexIds.parseLong(traceId, 16),
        HexIds.parseLong(span.getSpanId(), 0));
  }

  /** Finds the local root span with these ids, unless it has been passed on. */
  public @Nullable LocalRoot find(long traceIdHigh, long traceIdLow, long spanId) {
    int hash = LocalRootTable.hash(traceIdHigh, traceIdLow, spanId);
    return table(hash).find(hash, traceIdHigh, traceIdLow, spanId);
  }

  /** Undoes {@link LocalRoot#retain}. */
  public void release(LocalRoot root) {
    if (root.release()) {
      remove(root);
    }
  }

  /** Undoes {@link LocalRoot#retain}, and returns the samples of the span: see there. */
  public CollectedSamples leave(LocalRoot root, boolean isEarly) {
    CollectedSamples samples = root.leave(isEarly);
    if (root.isDropped()) {
      remove(root);
    }
    return samples;
  }

  private void remove(LocalRoot root) {
    int hash = LocalRootTable.hash(root);
    table(hash).remove(hash, root);
  }

  /** Returns how many spans were displaced because too many others have not ended. */
  public long displaced() {
    return displaced.sum();
  }

  /**
   * Returns how many local root spans have not ended, or wait in a processor. Some of them cannot
   * end any more.
   */
  public int size() {
    int size = 0;
    for (LocalRootTable table : tables) {
      size += table.size();
    }
    return size;
  }

  private LocalRootTable table(int hash) {
    return tables[hash >>> (Integer.SIZE - TABLE_BITS)];
  }
}
