/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.samples;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.context.VirtualThreads;
import io.flamespan.correlation.internal.jvm.JvmCounters;
import io.flamespan.correlation.internal.localroot.SpanTimes;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Opens the clocks of {@link SpanTimes}, and reports which times are not to be had, and why. */
public final class ExactTimes {
  private static final int CPU = 1;
  private static final int RUN_QUEUE = 2;

  /**
   * Takes the times of local root spans from now on. The native library must be loaded where it can
   * be.
   *
   * @param wanted the value of {@link Settings#SPAN_TIMES}
   */
  public static void begin(String wanted) {
    if (wanted.equals(Settings.NO_TIMES)) {
      return;
    }
    List<String> missing = new ArrayList<>();
    JvmCounters counters =
        JvmCounters.open(why -> missing.add(SpanTimes.STOPPED.getKey() + ": " + why));
    SpanTimes.take(
        counters == null ? null : counters::stoppedNanos,
        wanted.equals(Settings.ALL_TIMES) ? clocksOfThreads(missing) : null);
    if (!missing.isEmpty()) {
      Trouble.warn(
          ExactTimes.class,
          "Spans have no {0}. Remove the reason, or set {1} to what is to be had.",
          String.join("; and no ", missing),
          Settings.SPAN_TIMES);
    }
  }

  /** Takes no times from now on. */
  public static void end() {
    SpanTimes.take(null, null);
  }

  private static @Nullable ToIntFunction<long[]> clocksOfThreads(List<String> missing) {
    int known = 0;
    String whyNoCpu = "the native library is not loaded here";
    try {
      known = NativeLibrary.threadTimesSince(new long[CPU + RUN_QUEUE]);
    } catch (LinkageError e) {
      whyNoCpu = "the native library of another version of Flamespan is loaded";
    }
    if (known == 0) {
      missing.add(
          SpanTimes.CPU.getKey() + " and " + SpanTimes.RUN_QUEUE.getKey() + ": " + whyNoCpu);
      return null;
    }
    if ((known & RUN_QUEUE) == 0) {
      missing.add(
          SpanTimes.RUN_QUEUE.getKey()
              + ": the kernel or its sandbox has no times in /proc/thread-self/schedstat");
    }
    return times -> VirtualThreads.isCurrent() ? 0 : NativeLibrary.threadTimesSince(times);
  }

  private ExactTimes() {}
}
