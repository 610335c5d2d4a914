/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import io.flamespan.embedded.EmbeddedAsyncProfiler;
import io.flamespan.embedded.JoinedSample;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * An application whose threads do nothing but work in one method, for spans. So each stack that
 * lacks the method is broken.
 */
final class StacksApp {
  // The plug-in registers its bean only where somebody has asked for these.
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  private static final int THREADS = 4;
  private static final int SAMPLES = Integer.getInteger("test.samples", 600);

  public static void main(String[] arguments) throws Exception {
    Neighbour neighbour = Neighbour.valueOf(arguments[0]);
    neighbour.begin();
    List<JoinedSample> samples = new CopyOnWriteArrayList<>();
    EmbeddedAsyncProfiler.addListener((joined, period) -> samples.addAll(joined));
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk();
    Tracer tracer = sdk.getTracer("test");
    List<Thread> threads = new ArrayList<>();
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    for (int i = 0; i < THREADS; i++) {
      Thread thread =
          new Thread(
              () -> {
                while (samples.size() < SAMPLES && System.nanoTime() < end) {
                  Span span = tracer.spanBuilder("span").startSpan();
                  try (Scope scope = span.makeCurrent()) {
                    work();
                  }
                  span.end();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES);
    print(List.copyOf(samples));
    ObjectName status = new ObjectName("io.flamespan.correlation:type=Status");
    System.out.println("counted: " + BEANS.getAttribute(status, "embedded.broken"));
    sdk.close();
    neighbour.end();
    System.exit(0);
  }

  /** Loops as compiled code does, with polls for safepoints. */
  private static void work() {
    long end = System.nanoTime() + 20_000_000;
    long sum = 0;
    while (System.nanoTime() < end) {
      for (int i = 0; i < 1_000; i++) {
        sum = sum * 31 + i;
      }
    }
    if (sum == 1) {
      System.out.println();
    }
  }

  private static void print(List<JoinedSample> samples) {
    long right = 0;
    long all = 0;
    Map<String, Integer> broken = new HashMap<>();
    for (JoinedSample sample : samples) {
      if (sample.work == null) {
        continue;
      }
      all++;
      if (sample.stackTrace.frames.stream().anyMatch(f -> f.className.contains("StacksApp"))) {
        right++;
      } else {
        StringBuilder stack = new StringBuilder();
        sample.stackTrace.frames.forEach(
            frame -> stack.append(frame.className + '.' + frame.methodName + " "));
        broken.merge(stack.toString(), 1, Integer::sum);
      }
    }
    broken.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Collections.reverseOrder()))
        .limit(20) // for who looks into a failure
        .forEach(stack -> System.out.println(stack.getValue() + " times " + stack.getKey()));
    System.out.println("samples: " + all + ", broken: " + (all - right));
  }

  private StacksApp() {}
}
