/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

/**
 * Shows, in every protocol, a span of a trace or no trace for one thread. One object writes all of
 * the thread's records, because at a switch, each further object costs as much as the writing
 * itself. Only the thread that owns the records may call the methods; none of them allocates.
 */
public abstract class ThreadRecord {
  ThreadRecord() {}

  /** Shows a span without attributes, whatever was shown before. */
  public abstract void showSpan(
      byte flags, long traceIdHigh, long traceIdLow, long spanId, long localRootSpanId);

  /** Shows another span of the trace that is currently shown, with the same attributes. */
  public abstract void changeSpan(long spanId);

  /**
   * Shows a span that differs from the last one only in its id, even if that one is no longer
   * shown.
   */
  public abstract void showSpanOfLastTrace(long spanId);

  /** Shows no trace. */
  public abstract void showNoTrace();

  /** Shows no trace if this span was the last one that was written. */
  public abstract void showNoTraceInPlaceOf(long spanId);

  /** Shows no trace, after a failure that may have left the records half written. */
  public abstract void showNoTraceAfterFailure();
}
