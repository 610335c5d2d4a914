/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Measures what JMH cannot: whole processes, their memory, and messages from outside. Prints one
 * line per figure. Each figure is measured in separate processes, so none disturbs another.
 */
final class LoadProgram {
  private interface Measurement {
    List<Figure> measure() throws Exception;
  }

  private LoadProgram() {}

  /** Measures the figures whose names contain a match. Passes each on as soon as it is known. */
  static void measure(Pattern chosen, Consumer<Figure> result) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(LoadProgram::killDescendants));
    for (Map.Entry<String, Measurement> entry : measurements().entrySet()) {
      if (chosen.matcher(entry.getKey()).find()) {
        entry.getValue().measure().forEach(result);
      }
    }
  }

  private static Map<String, Measurement> measurements() {
    Map<String, Measurement> all = new LinkedHashMap<>();
    for (String mode : List.of("true", "auto")) {
      all.put("idle-" + mode, () -> IdleThreads.measure(mode));
    }
    for (int spans : List.of(200_000, 1_000_000)) {
      all.put("waiting-" + spans, () -> WaitingSpansHeap.measure(spans));
    }
    for (String load : List.of("idle", "busy")) {
      all.put("latency-" + load, () -> ReleaseLatency.measure(load));
    }
    for (String traces : List.of("one-trace", "two-traces", "new-traces")) {
      all.put("invalid-" + traces, () -> InvalidRecords.measure(traces));
    }
    all.put(
        "invalid-two-traces-virtual", () -> InvalidRecords.measureOnVirtualThread("two-traces"));
    for (int threads : List.of(4, 10_000)) {
      all.put("virtual-" + threads, () -> VirtualThreadSwitches.measure(threads));
    }
    all.put("virtual-memory", () -> LiveVirtualThreads.measure(100_000));
    for (String priority : List.of("real-time", "normal")) {
      for (LostDatagrams.Load load : LostDatagrams.Load.values()) {
        all.put("lost-" + load + "-" + priority, () -> LostDatagrams.measure(load, priority));
      }
    }
    all.put(
        "lost-bursts-jnr",
        () -> LostDatagrams.measure(LostDatagrams.Load.BURSTS, LostDatagrams.JNR));
    return all;
  }

  private static void killDescendants() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
  }
}
