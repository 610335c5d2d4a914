/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.flamespan.correlation.internal.protocol.MessageHandler;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the calls as text. */
public class RecordingHandler implements MessageHandler {
  public final List<String> calls = new CopyOnWriteArrayList<>();

  @Override
  public void onRegistration(long samplesDelayMillis, String hostId) {
    calls.add("registration " + samplesDelayMillis + " '" + hostId + "'");
  }

  @Override
  public void onCorrelation(
      long traceIdHigh,
      long traceIdLow,
      long localRootSpanId,
      long stackTraceIdHigh,
      long stackTraceIdLow,
      int count) {
    calls.add(
        String.format(
            Locale.ROOT,
            "correlation %016x%016x %016x %016x%016x %d",
            traceIdHigh,
            traceIdLow,
            localRootSpanId,
            stackTraceIdHigh,
            stackTraceIdLow,
            count));
  }

  /** Returns the recorded call for {@link Datagrams#correlation(int)}. */
  public static String correlation(int count) {
    return "correlation 0102030405060708090a0b0c0d0e0f10 2122232425262728"
        + " 3132333435363738393a3b3c3d3e3f40 "
        + count;
  }
}
