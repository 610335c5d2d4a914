/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import io.flamespan.embedded.EmbeddedAsyncProfiler;
import io.flamespan.embedded.JoinedSample;
import io.flamespan.embedded.SampleKind;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** An application with a native library that waits, and does not expect signals. */
final class WaitsApp {
  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
  private static final List<JoinedSample> WAITS = new CopyOnWriteArrayList<>();
  private static OpenTelemetrySdk sdk;

  private static native int wait0();

  private static native void begin0();

  private static native int end0();

  public static void main(String[] arguments) throws Exception {
    System.load(arguments[0]);
    CountDownLatch sampled = new CountDownLatch(1);
    EmbeddedAsyncProfiler.addListener((samples, period) -> sampled.countDown());
    EmbeddedAsyncProfiler.addListener((samples, period) -> WAITS.addAll(samples));
    sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk();
    while (sampled.getCount() > 0) {
      Thread.onSpinWait();
    }
    begin0();
    FutureTask<Integer> withoutSpan = new FutureTask<>(WaitsApp::wait0);
    new Thread(withoutSpan).start();
    System.out.println("without Java: " + end0());
    System.out.println("without a span: " + withoutSpan.get());
    FutureTask<Integer> inSpan = new FutureTask<>(WaitsApp::waitInSpan);
    new Thread(inSpan).start();
    System.out.println("in a span: " + inSpan.get());
    System.out.println("sampled: " + areWaitsSampled());
    if (Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS) {
      WAITS.clear();
      Thread.class
          .getMethod("startVirtualThread", Runnable.class)
          .invoke(null, (Runnable) WaitsApp::waitUntilSampled);
      System.out.println("sampled of virtual thread: " + areWaitsSampled());
    }
    sdk.close();
    System.exit(0);
  }

  private static int waitInSpan() {
    Span span = sdk.getTracer("test").spanBuilder("span").startSpan();
    try (Scope scope = span.makeCurrent()) {
      return wait0();
    } finally {
      span.end();
    }
  }

  private static void waitUntilSampled() {
    while (!hasWait()) {
      waitInSpan();
    }
  }

  private static boolean hasWait() {
    return WAITS.stream().anyMatch(each -> each.kind == SampleKind.WALL && each.work != null);
  }

  private static boolean areWaitsSampled() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!hasWait() && System.nanoTime() < end) {
      Thread.sleep(50);
    }
    return hasWait();
  }

  private WaitsApp() {}
}
