/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.cases;

import static java.util.stream.Collectors.joining;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs tests as build tools do, each class as a plan of its own. Then waits until somebody has seen
 * what was written, if that is wanted.
 */
public final class Launch {
  public static void main(String[] classes) throws IOException {
    Launcher launcher = LauncherFactory.create();
    for (String name : classes) {
      ClassSelector selector = selectClass("io.flamespan.junit.cases." + name);
      long before = cpuMicros();
      SummaryGeneratingListener listener = new SummaryGeneratingListener();
      launcher.execute(
          LauncherDiscoveryRequestBuilder.request().selectors(selector).build(), listener);
      TestExecutionSummary summary = listener.getSummary();
      System.out.printf(
          "%s: %d passed, %d failed, %d aborted, %d skipped; %d us of CPU time%n",
          name,
          summary.getTestsSucceededCount(),
          summary.getTestsFailedCount(),
          summary.getTestsAbortedCount(),
          summary.getTestsSkippedCount(),
          cpuMicros() - before);
      summary.getFailures().forEach(failure -> System.out.println(failure.getException()));
    }
    System.out.printf("all: %d us of CPU time%n", cpuMicros());
    Thread[] threads = new Thread[Thread.activeCount() + 8];
    int count = Thread.enumerate(threads);
    System.out.println(
        "threads: "
            + Arrays.stream(threads, 0, count).map(Thread::getName).sorted().collect(joining(" ")));
    while (Boolean.getBoolean("test.waits") && System.in.read() >= 0) {
      // Until it is closed.
    }
  }

  private static long cpuMicros() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1_000;
  }

  private Launch() {}
}
