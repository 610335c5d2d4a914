/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.protocol.HexIds;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The local root spans that receive samples: every sampled one, from its start until it has been
 * passed on to all processors. Thread-safe.
 */
public final class LocalRootSpans {
  // More than 2,000,000. The tables do not fill evenly.
  private static final int MAX_ROOTS = 1 << 21;
  private static final int TABLE_BITS = 6; // so that threads rarely contend for one table

  private final LocalRootTable[] tables = new LocalRootTable[1 << TABLE_BITS];
  private final LongAdder displaced = new LongAdder();
  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(LocalRootSpans.class.getName()));

  public LocalRootSpans() {
    this(MAX_ROOTS);
  }

  LocalRootSpans(int maxRoots) {
    for (int i = 0; i < tables.length; i++) {
      tables[i] = new LocalRootTable(Math.max(1, maxRoots >>> TABLE_BITS));
    }
    // Initializes classes: if that fails, the plug-in stays off instead of failing on each span.
    boolean unused = new LocalRoot().freeze().isEmpty();
  }

  /** Returns whether the span has no parent, or a remote one. */
  public static boolean isLocalRoot(ReadableSpan span) {
    SpanContext parent = span.getParentSpanContext();
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
      root = new LocalRoot();
      root.open(span);
    }
    int hash = LocalRootTable.hash(root);
    if (span.isSampled() && !table(hash).add(hash, root)) {
      displaced.increment();
      logger.warn(
          "Too many local root spans have not ended: some are exported without stack traces. Check"
              + " that every span that is started is ended");
    }
    return isKnownBelow;
  }

  /** Must be called when a recording local root span has ended, after processors retain it. */
  public void onEnd(SpanContext span) {
    LocalRoot root = entryOf(span);
    if (root != null && root.end()) {
      remove(root);
    }
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

  private void remove(LocalRoot root) {
    int hash = LocalRootTable.hash(root);
    table(hash).remove(hash, root);
  }

  /** Returns how many spans were displaced because too many others have not ended. */
  public long displaced() {
    return displaced.sum();
  }

  /** Returns how many local root spans have not ended, or wait in a processor. */
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
