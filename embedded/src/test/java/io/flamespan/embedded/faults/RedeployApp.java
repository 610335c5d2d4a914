/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import io.flamespan.embedded.EmbeddedAsyncProfiler;
import io.flamespan.embedded.Frame;
import io.flamespan.embedded.JoinedSample;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;

/**
 * An application whose SDK is closed and built anew while its threads work. Each works for a span
 * in the method that has the span's name. The profiler of each SDK is too slow to stop in time.
 */
final class RedeployApp {
  private static final int THREADS = 4;
  private static final int DEPLOYMENTS = 4;
  private static final String PREFIX = "endpoint";

  private static final Map<Long, Integer> ENDPOINTS = new ConcurrentHashMap<>(); // by span id
  private static final List<JoinedSample> SAMPLES = new CopyOnWriteArrayList<>();
  private static final Semaphore SLOW = new Semaphore(0);
  private static final Semaphore ENTERED = new Semaphore(0);
  private static volatile OpenTelemetrySdk sdk;
  private static volatile boolean isOver;

  public static void main(String[] arguments) throws Exception {
    EmbeddedAsyncProfiler.addListener((joined, period) -> receive(joined));
    deploy();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(RedeployApp::serve);
      thread.setDaemon(true);
      thread.start();
    }
    for (int i = 1; i < DEPLOYMENTS; i++) {
      awaitSamples();
      SLOW.release();
      ENTERED.acquire();
      sdk.close();
      deploy();
    }
    awaitSamples();
    isOver = true;
    sdk.close();
    int right = 0;
    int wrong = 0;
    for (JoinedSample sample : SAMPLES) {
      Integer named = sample.work == null ? null : ENDPOINTS.get(sample.work.localRootSpanId);
      for (Frame frame : sample.stackTrace.frames) {
        if (named != null && frame.methodName.startsWith(PREFIX)) {
          boolean isRight = frame.methodName.equals(PREFIX + named);
          right += isRight ? 1 : 0;
          wrong += isRight ? 0 : 1;
        }
      }
    }
    System.out.println("right: " + right + ", wrong: " + wrong);
    System.exit(0);
  }

  private static void deploy() {
    sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk();
  }

  /** Sometimes holds up the thread that collects, as a machine does that is short of CPU. */
  private static void receive(List<JoinedSample> joined) {
    SAMPLES.addAll(joined);
    if (SLOW.tryAcquire()) {
      ENTERED.release();
      try {
        Thread.sleep(3_000);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Waits until this deployment has samples of spans. */
  private static void awaitSamples() throws InterruptedException {
    int before = SAMPLES.size();
    while (SAMPLES.stream().skip(before).noneMatch(sample -> sample.work != null)) {
      Thread.sleep(20);
    }
  }

  private static void serve() {
    while (!isOver) {
      int endpoint = ThreadLocalRandom.current().nextInt(4);
      Span span = sdk.getTracer("test").spanBuilder(PREFIX + endpoint).startSpan();
      ENDPOINTS.put(Long.parseUnsignedLong(span.getSpanContext().getSpanId(), 16), endpoint);
      try (Scope scope = span.makeCurrent()) {
        switch (endpoint) {
          case 0:
            endpoint0();
            break;
          case 1:
            endpoint1();
            break;
          case 2:
            endpoint2();
            break;
          default:
            endpoint3();
        }
      }
      span.end();
    }
  }

  private static void endpoint0() {
    spin();
  }

  private static void endpoint1() {
    spin();
  }

  private static void endpoint2() {
    spin();
  }

  private static void endpoint3() {
    spin();
  }

  private static void spin() {
    long end = System.nanoTime() + 20_000_000;
    while (System.nanoTime() < end) {
      // Uses the CPU.
    }
  }

  private RedeployApp() {}
}
