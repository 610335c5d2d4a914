/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.jvm.JvmCounters;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The pauses of garbage collections, with their causes. Used by one thread at a time. */
final class GcPauses {
  // As in gc_pauses.h.
  private static final int CAUSE_LENGTH = 48;
  private static final int PAUSES = 24;
  private static final int PAUSE_LENGTH = 16 + 2 * CAUSE_LENGTH;
  private static final int AT_ONCE = 64;

  private static final String NONE = "No GC";

  /** How G1 calls the pauses of its concurrent cycles, for which it sets no cause. */
  private static final String OF_CYCLE_OF_G1 = "G1 Remark or Cleanup";

  private final ByteBuffer taken =
      ByteBuffer.allocateDirect(PAUSES + AT_ONCE * PAUSE_LENGTH).order(ByteOrder.nativeOrder());
  private final ByteBuffer causes;
  private final boolean isG1;

  /**
   * Notes pauses from now on.
   *
   * @throws UnsupportedOperationException or IOException if they cannot be noted
   */
  GcPauses(JvmCounters counters) throws IOException {
    isG1 = counters.text("sun.gc.policy.name").equals("GarbageFirst");
    causes = counters.content();
    NativeLibrary.followGcPauses(
        causes,
        counters.offsetOfText("sun.gc.cause", CAUSE_LENGTH),
        counters.offsetOfText("sun.gc.lastCause", CAUSE_LENGTH));
    long unused = take(new ArrayList<>()); // those that an earlier profiler has left
  }

  /**
   * Adds the pauses that have ended since the last call. Returns what to add to {@link
   * System#nanoTime()} for the time since the epoch.
   */
  long take(List<Stop> pauses) {
    int count;
    do {
      NativeLibrary.takeGcPauses(causes, taken);
      count = (int) taken.getLong(16);
      for (int i = 0; i < count; i++) {
        int pause = PAUSES + i * PAUSE_LENGTH;
        long begin = taken.getLong(pause);
        String cause = cause(text(pause + 16), text(pause + 16 + CAUSE_LENGTH));
        pauses.add(new Stop(cause, Stop.COLLECTION, begin, taken.getLong(pause + 8) - begin));
      }
    } while (count == AT_ONCE);
    return taken.getLong(8) - taken.getLong(0);
  }

  /** The serial and the parallel collector, up to Java 17, end the cause before the pause. */
  private String cause(String current, String last) {
    return !current.equals(NONE) ? current : isG1 ? OF_CYCLE_OF_G1 : last;
  }

  private String text(int offset) {
    byte[] bytes = new byte[CAUSE_LENGTH];
    int length = 0;
    while ((bytes[length] = taken.get(offset + length)) != 0) {
      length++; // the last one is 0
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  /** Notes nothing from now on. */
  void end() {
    NativeLibrary.forgetGcPauses(causes);
  }
}
