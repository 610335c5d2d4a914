/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.RelatedIds;
import io.flamespan.correlation.testing.VirtualThreadFactory;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An application with many traced threads, virtual or platform, that start, work, block in every
 * way, and end. Writes to a file what each thread should be showing.
 */
public final class TracedThreadsApp {
  /** The JVM argument that makes reflection call through native code. */
  public static final String NATIVE_REFLECTION = "-Djdk.reflect.useNativeAccessorOnly=true";

  private static final int TRANSACTIONS_OF_A_THREAD = 20;

  private final Tracer tracer;
  private final ThreadFactory threads;
  private final ExpectedSpans expected;
  private final AtomicLong transactionsLeft;
  private final ReentrantLock lock = new ReentrantLock();
  private final Object monitor = new Object();
  private final Method park = LockSupport.class.getMethod("parkNanos", long.class);
  private final ServerSocket server = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress());
  private long result;

  private TracedThreadsApp(
      Tracer tracer, ThreadFactory threads, ExpectedSpans expected, long transactions)
      throws IOException, NoSuchMethodException {
    this.tracer = tracer;
    this.threads = threads;
    this.expected = expected;
    this.transactionsLeft = new AtomicLong(transactions);
  }

  /**
   * Arguments: {@code virtual} or {@code platform}, the number of concurrent threads, the number of
   * transactions, the file for {@link ExpectedSpans}.
   */
  public static void main(String[] arguments) throws Exception {
    AutoConfiguredOpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .addTracerProviderCustomizer(
                (builder, config) -> builder.setIdGenerator(new RelatedIds()))
            .build();
    ThreadFactory threads =
        arguments[0].equals("virtual")
            ? VirtualThreadFactory.create()
            : task -> new Thread(task, "platform");
    TracedThreadsApp app =
        new TracedThreadsApp(
            sdk.getOpenTelemetrySdk().getTracer("test"),
            threads,
            new ExpectedSpans(Path.of(arguments[3])),
            Long.parseLong(arguments[2]));
    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
      app.startWorker();
    }
    app.answerEchoes();
  }

  private void startWorker() {
    threads.newThread(this::work).start();
  }

  /** Runs the transactions of a thread, then starts its successor. */
  private void work() {
    try {
      for (int i = 0; i < TRANSACTIONS_OF_A_THREAD; i++) {
        transaction();
        if (transactionsLeft.decrementAndGet() == 0) {
          System.exit(0);
        }
      }
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(1);
    }
    startWorker();
  }

  private void transaction() throws Exception {
    Span other =
        tracer.spanBuilder("other").startSpan(); // while nothing is current, see RelatedIds
    Span root = tracer.spanBuilder("root").startSpan();
    try (Scope scope = root.makeCurrent()) {
      compute(root);
      Span child = tracer.spanBuilder("child").startSpan();
      try (Scope childScope = child.makeCurrent()) {
        compute(child);
        leaveTheProcessor();
        compute(child);
      } finally {
        child.end();
      }
      compute(root);
      anotherTrace(other);
      compute(root);
    } finally {
      root.end();
    }
    leaveTheProcessor();
  }

  /** Switches directly from one trace to another, and back. */
  private void anotherTrace(Span other) throws Exception {
    try (Scope otherScope = other.makeCurrent()) {
      compute(other);
      leaveTheProcessor();
      compute(other);
    } finally {
      other.end();
    }
  }

  private void leaveTheProcessor() throws Exception {
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
        }
      }
      case 4 -> {
        synchronized (monitor) {
          monitor.wait(0, 100_000);
        }
      }
      // A virtual thread stays on its carrier while a native frame is on its stack.
      case 5 -> park.invoke(null, 100_000);
      default -> echo();
    }
  }

  private void echo() throws IOException {
    try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
      socket.getOutputStream().write(1);
      socket.getInputStream().read();
    }
  }

  private void answerEchoes() throws IOException {
    while (true) {
      Socket socket = server.accept();
      threads.newThread(() -> answer(socket)).start();
    }
  }

  private static void answer(Socket socket) {
    try (socket) {
      socket.getOutputStream().write(socket.getInputStream().read());
    } catch (IOException e) {
      // the other side has closed the connection
    }
  }

  private void compute(Span current) {
    expected.during(
        current.getSpanContext().getSpanId(),
        () -> {
          long value = result;
          for (int i = 0; i < 100_000; i++) {
            value = value * 31 + i;
          }
          result = value;
        });
  }
}
