/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Signals that nobody else in this process handles. With the usual ones, another async-profiler
 * would end the samples of this one, and neither would notice.
 */
final class FreeSignal {
  private static final String LINE = "SigCgt:";
  private static final int FIRST = 40; // real-time signals; C libraries use the first ones
  private static final int LAST = 63;

  /**
   * Returns the option for async-profiler, or an empty string if there are not enough signals.
   *
   * @param status {@code /proc/self/status}; without it, async-profiler has to choose
   * @param count of signals
   */
  static String option(Path status, int count) {
    try {
      for (String line : Files.readAllLines(status, StandardCharsets.ISO_8859_1)) {
        if (line.startsWith(LINE)) {
          BigInteger caught = new BigInteger(line.substring(LINE.length()).trim(), 16);
          List<String> free = new ArrayList<>();
          for (int signal = FIRST; signal <= LAST; signal++) {
            if (!caught.testBit(signal - 1)) {
              free.add(String.valueOf(signal));
            }
          }
          return free.size() < count ? "" : ",signal=" + String.join("/", free.subList(0, count));
        }
      }
      return "";
    } catch (IOException | NumberFormatException e) {
      return "";
    }
  }

  private FreeSignal() {}
}
