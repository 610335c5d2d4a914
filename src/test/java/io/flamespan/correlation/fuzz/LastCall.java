/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.fuzz;

import io.flamespan.correlation.internal.protocol.MessageHandler;
import java.util.HexFormat;

/** Keeps the last call as text, in the format of {@link ReferenceDecoder}. */
final class LastCall implements MessageHandler {
  private final HexFormat hex = HexFormat.of();
  boolean keepText = true;
  String text;
  long calls;

  @Override
  public void onRegistration(long samplesDelayMillis, String hostId) {
    calls++;
    check(samplesDelayMillis >= 0 && samplesDelayMillis <= 0xffffffffL);
    if (keepText) {
      text = "registration " + samplesDelayMillis + " " + hostId;
    }
  }

  @Override
  public void onCorrelation(
      long traceIdHigh,
      long traceIdLow,
      long localRootSpanId,
      long stackTraceIdHigh,
      long stackTraceIdLow,
      int count) {
    calls++;
    check(count >= 0 && count <= 65_535);
    if (keepText) {
      text =
          "correlation "
              + hex.toHexDigits(traceIdHigh)
              + hex.toHexDigits(traceIdLow)
              + " "
              + hex.toHexDigits(localRootSpanId)
              + " "
              + hex.toHexDigits(stackTraceIdHigh)
              + hex.toHexDigits(stackTraceIdLow)
              + " "
              + count;
    }
  }

  private static void check(boolean inRange) {
    if (!inRange) {
      throw new AssertionError("out of range");
    }
  }
}
