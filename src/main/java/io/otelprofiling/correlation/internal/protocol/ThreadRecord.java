/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.protocol;

/**
 * What every protocol shows of one thread: a span of a trace, or that there is no trace. One object
 * writes all of the thread's records, because at a switch each further object costs as much as the
 * writing. Only the thread that owns the records may call the methods; none of them allocates.
 */
public abstract class ThreadRecord {
  ThreadRecord() {}

  /** Shows a span without attributes, whatever was shown before. */
  public abstract void showSpan(
      byte flags, long traceIdHigh, long traceIdLow, long spanId, long localRootSpanId);

  /** Shows another span of the trace that is shown now, with the same attributes. */
  public abstract void changeSpan(long spanId);

  /**
   * Shows a span that differs only in its id from the last one, whether or not that is still shown.
   */
  public abstract void showSpanOfLastTrace(long spanId);

  /** Shows that no trace is active. */
  public abstract void showNoTrace();

  /** Does the same if this span was the last one that was written. */
  public abstract void showNoTraceInPlaceOf(long spanId);

  /** Does the same after a failure that may have left the records half written. */
  public abstract void showNoTraceAfterFailure();
}
