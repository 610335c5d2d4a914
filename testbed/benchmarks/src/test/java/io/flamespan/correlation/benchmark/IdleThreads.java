/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * CPU time that the plug-in's threads use while the application is idle, as counted by the kernel.
 */
final class IdleThreads {
  private static final int SETTLE_MILLIS = 2_000;
  private static final int IDLE_MILLIS = 20_000;

  private IdleThreads() {}

  static List<Figure> measure(String mode) throws IOException, InterruptedException {
    String id = "idle-" + mode;
    if (!Files.exists(Path.of("/proc/self/schedstat"))) {
      return List.of(Figure.notMeasured(id, "this kernel does not provide schedstat"));
    }
    try (ChildApp app =
        ChildApp.start(List.of(), List.of(ChildApp.enabled(mode)), IdleThreads.class)) {
      app.readLine();
      Thread.sleep(SETTLE_MILLIS);
      PluginThreads threads = new PluginThreads(app.pid());
      PluginThreads.Use before = threads.use();
      Thread.sleep(IDLE_MILLIS);
      PluginThreads.Use after = threads.use();
      return List.of(
          Figure.of(
              id,
              (after.nanos() - before.nanos()) / 1e6,
              "ms",
              after.timeslices() - before.timeslices() + " wakeups in 20 s"));
    }
  }

  /** Runs the application. */
  public static void main(String[] arguments) throws IOException {
    MeasuredSdk.start(span -> {});
    System.out.println("started");
    System.in.read(); // blocks until the end of the stream
  }
}
