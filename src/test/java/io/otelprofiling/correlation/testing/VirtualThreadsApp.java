/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An application with thousands of traced virtual threads that are unmounted, pinned and resumed in
 * every way, until it is ended from outside.
 */
public final class VirtualThreadsApp {
  /** Has reflection call through native code. */
  public static final String NATIVE_REFLECTION = "-Djdk.reflect.useNativeAccessorOnly=true";

  private static final Method PARK = findPark();

  private final Tracer tracer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Object monitor = new Object();
  private volatile int port;
  private volatile long result;

  private VirtualThreadsApp(Tracer tracer) {
    this.tracer = tracer;
  }

  /** The argument is how many virtual threads there are at a time. */
  public static void main(String[] arguments) throws IOException {
    AutoConfiguredOpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .addTracerProviderCustomizer(
                (builder, config) -> builder.setIdGenerator(new RelatedIds()))
            .build();
    VirtualThreadsApp app = new VirtualThreadsApp(sdk.getOpenTelemetrySdk().getTracer("test"));
    ThreadFactory virtual = VirtualThreadFactory.create();
    int count = Integer.parseInt(arguments[0]);
    for (int i = 0; i < count; i++) {
      virtual.newThread(() -> app.relay(virtual)).start();
    }
    app.echoForever(virtual);
  }

  /** Each thread works for a while and leaves its place to a new one. */
  private void relay(ThreadFactory virtual) {
    try {
      for (int i = 0; i < 20; i++) {
        transaction();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } finally {
      virtual.newThread(() -> relay(virtual)).start();
    }
  }

  private void transaction() throws IOException {
    Span root = tracer.spanBuilder("root").startSpan();
    try (Scope scope = root.makeCurrent()) {
      work();
      Span child = tracer.spanBuilder("child").startSpan();
      try (Scope childScope = child.makeCurrent()) {
        work();
        leaveTheCarrier();
        work();
      } finally {
        child.end();
      }
      work();
    } finally {
      root.end();
    }
    leaveTheCarrier();
  }

  private void leaveTheCarrier() throws IOException {
    switch (ThreadLocalRandom.current().nextInt(7)) {
      case 0 -> Thread.yield();
      case 1 -> LockSupport.parkNanos(200_000);
      case 2 -> {
        lock.lock();
        try {
          Thread.yield();
        } finally {
          lock.unlock();
        }
      }
      case 3 -> {
        synchronized (monitor) {
          Thread.yield();
          work();
        }
      }
      case 4 -> {
        synchronized (monitor) {
          try {
            monitor.wait(0, 100_000);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      }
      case 5 -> parkBelowNativeCode();
      default -> echo();
    }
  }

  /** No virtual thread leaves its carrier with a frame of native code below it. */
  private static void parkBelowNativeCode() {
    try {
      PARK.invoke(null, 100_000);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private void echo() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(1);
      socket.getInputStream().read();
    }
  }

  private void echoForever(ThreadFactory virtual) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress())) {
      port = server.getLocalPort();
      while (true) {
        Socket socket = server.accept();
        virtual.newThread(() -> answer(socket)).start();
      }
    }
  }

  private static void answer(Socket socket) {
    try (socket;
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream()) {
      out.write(in.read());
    } catch (IOException e) {
      // the other side has gone
    }
  }

  private static Method findPark() {
    try {
      return LockSupport.class.getMethod("parkNanos", long.class);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  private void work() {
    long value = result;
    for (int i = 0; i < 2_000; i++) {
      value = value * 31 + i;
    }
    result = value;
  }
}
