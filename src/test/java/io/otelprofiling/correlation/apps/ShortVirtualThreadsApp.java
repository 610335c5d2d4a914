/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.apps;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.otelprofiling.correlation.testing.VirtualThreadFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An application of many virtual threads, each with a trace, which occasionally needs nearly all
 * the direct memory that is available. It prints how long its slowest context switch took.
 */
public final class ShortVirtualThreadsApp {
  private static final int AT_ONCE = 50_000;
  private static final int BUFFER_BYTES = 4 << 20;
  private static final int LIFE_MILLIS = 50;
  private static final int THREADS_PER_BUFFER = 50_000;

  private ShortVirtualThreadsApp() {}

  /** Takes the number of threads as its argument. */
  public static void main(String[] arguments) throws Exception {
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk();
    Tracer tracer = sdk.getTracer("test");
    ThreadFactory virtual = VirtualThreadFactory.create();
    Semaphore places = new Semaphore(AT_ONCE);
    AtomicLong slowest = new AtomicLong();
    for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
      if (i % THREADS_PER_BUFFER == 0) {
        ByteBuffer.allocateDirect(BUFFER_BYTES).put(0, (byte) 1);
      }
      places.acquire();
      virtual
          .newThread(
              () -> {
                try {
                  slowest.accumulateAndGet(switchOnce(tracer), Math::max);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                } finally {
                  places.release();
                }
              })
          .start();
    }
    places.acquire(AT_ONCE);
    System.out.println("slowest switch: " + TimeUnit.NANOSECONDS.toMillis(slowest.get()) + " ms");
    sdk.close();
  }

  private static long switchOnce(Tracer tracer) throws InterruptedException {
    Span span = tracer.spanBuilder("root").startSpan();
    long begin = System.nanoTime();
    try (Scope scope = span.makeCurrent()) {
      long nanos = System.nanoTime() - begin;
      Thread.sleep(LIFE_MILLIS);
      return nanos;
    } finally {
      span.end();
    }
  }
}
