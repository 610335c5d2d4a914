/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import io.flamespan.correlation.apps.PingApp;
import io.flamespan.correlation.testing.VirtualThreadFactory;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;

/**
 * An application with many virtual threads, each with a trace. Occasionally it allocates nearly all
 * available direct memory. Prints how often.
 */
final class ShortVirtualThreadsApp {
  private static final int AT_ONCE = 50_000;
  private static final int BUFFER_BYTES = 4 << 20;
  private static final int LIFE_MILLIS = 50;
  private static final int THREADS_PER_BUFFER = 50_000;

  private ShortVirtualThreadsApp() {}

  /** The argument is the number of threads. */
  public static void main(String[] arguments) throws Exception {
    OpenTelemetrySdk sdk = PingApp.sdk();
    Tracer tracer = sdk.getTracer("test");
    ThreadFactory virtual = VirtualThreadFactory.create();
    Semaphore places = new Semaphore(AT_ONCE);
    int buffers = 0;
    for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
      if (i % THREADS_PER_BUFFER == 0) {
        ByteBuffer.allocateDirect(BUFFER_BYTES).put(0, (byte) 1);
        buffers++;
      }
      places.acquire();
      virtual
          .newThread(
              () -> {
                try {
                  switchOnce(tracer);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                } finally {
                  places.release();
                }
              })
          .start();
    }
    places.acquire(AT_ONCE);
    System.out.println("buffers: " + buffers);
    sdk.close();
  }

  private static void switchOnce(Tracer tracer) throws InterruptedException {
    Span span = tracer.spanBuilder("root").startSpan();
    try (Scope scope = span.makeCurrent()) {
      Thread.sleep(LIFE_MILLIS);
    } finally {
      span.end();
    }
  }
}
