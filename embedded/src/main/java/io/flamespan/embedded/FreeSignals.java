/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Signals that nobody else in this process handles. With the usual ones, another async-profiler
 * would end the samples of this one, and neither would notice. Of signals that arrive at once, the
 * one with the highest number interrupts the handlers of the others: this one, which waits for them
 * to end, and so disturbs none.
 */
final class FreeSignals {
  private static final String LINE = "SigCgt:";
  private static final int HIGHEST = 60; // emulators use the ones above
  private static final int LOWEST = 40; // C libraries use the first real-time signals

  /**
   * Returns the highest free signals, or none if there are not enough.
   *
   * @param status {@code /proc/self/status}; without it, async-profiler has to choose
   * @param count of signals
   * @param own which this class loader has used before: async-profiler goes on handling them
   */
  static List<Integer> find(Path status, int count, Set<Integer> own) {
    try {
      for (String line : Files.readAllLines(status, StandardCharsets.ISO_8859_1)) {
        if (line.startsWith(LINE)) {
          BigInteger caught = new BigInteger(line.substring(LINE.length()).trim(), 16);
          List<Integer> free = new ArrayList<>();
          for (int signal = HIGHEST; signal >= LOWEST && free.size() < count; signal--) {
            if (!caught.testBit(signal - 1) || own.contains(signal)) {
              free.add(signal);
            }
          }
          return free.size() < count ? Collections.emptyList() : free;
        }
      }
      return Collections.emptyList();
    } catch (IOException | NumberFormatException e) {
      return Collections.emptyList();
    }
  }

  private FreeSignals() {}
}
