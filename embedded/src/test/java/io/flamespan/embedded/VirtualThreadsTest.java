/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.embedded.Work;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Each sample of a virtual thread is joined with the endpoint that its stack names. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsTest {
  private static final int SAMPLES = Integer.getInteger("test.samples", 1_500);

  // Of threads that do little but yield. It cannot be told whether a thread is about to leave its
  // carrier or has just come, in the few instructions before and after.
  private static final int MAX_PERCENT_UNJOINED = 5;

  private static final byte[] BYTES = bytesOfPinned();

  private static byte[] bytesOfPinned() {
    String file = Pinned.class.getName().replace('.', '/') + ".class";
    try (InputStream in = Pinned.class.getClassLoader().getResourceAsStream(file)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final ProfiledSdk sdk = new ProfiledSdk();
  private final Tracer tracer = sdk.tracer();
  private final Map<Long, Integer> endpoints = new ConcurrentHashMap<>();

  static ExecutorService perTask() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A request with a span below it, each of which does the same in the method of an endpoint. A
   * stack never has two of these methods, because compilers inline them and forget the inner one.
   */
  private void request(Consumer<Integer> work) {
    Span root = tracer.spanBuilder("root").setNoParent().startSpan();
    try (Scope scope = root.makeCurrent()) {
      work(root, work);
      Span below = tracer.spanBuilder("below").startSpan();
      try (Scope ofBelow = below.makeCurrent()) {
        work(below, work);
      }
      below.end();
      work(root, work);
    }
    root.end();
  }

  private void work(Span span, Consumer<Integer> work) {
    long id = Long.parseUnsignedLong(span.getSpanContext().getSpanId(), 16);
    int endpoint =
        endpoints.computeIfAbsent(
            id, unused -> ThreadLocalRandom.current().nextInt(Endpoints.COUNT));
    work.accept(endpoint);
  }

  /** Works in the method of an endpoint. */
  private void request(Runnable work) {
    request(endpoint -> Endpoints.run(endpoint, work));
  }

  private void judge(int threads, Runnable work) throws Exception {
    try (ProfiledSdk closed = sdk) {
      runUntilSampled(threads, work);
      sdk.flush();
      int right = 0;
      List<String> wrong = new ArrayList<>();
      List<String> lost = new ArrayList<>();
      for (JoinedSample sample : sdk.sampled) {
        int endpoint = Endpoints.in(sample.stackTrace);
        Work found = sample.work;
        if (endpoint != Endpoints.NONE && found == null) {
          lost.add(describe(sample));
        } else if (found != null
            && endpoint != Endpoints.NONE
            && endpoint != endpoints.get(found.spanId)) {
          wrong.add(describe(sample));
        } else if (endpoint != Endpoints.NONE) {
          right++;
        }
      }
      long unjoined = sdk.count("embedded.unjoined.virtual");
      System.out.println(
          right
              + " right, "
              + wrong.size()
              + " wrong, "
              + lost.size()
              + " lost; "
              + sdk.count("embedded.joined")
              + " joined, "
              + unjoined
              + " unjoined, "
              + sdk.count("embedded.late")
              + " late");
      assertThat(wrong).isEmpty();
      assertThat(lost).hasSizeLessThanOrEqualTo((int) unjoined);
      assertThat(unjoined).isLessThanOrEqualTo(right * MAX_PERCENT_UNJOINED / 100);
      assertThat(sdk.stackTraceIds())
          .isEqualTo(
              sdk.count("embedded.joined")
                  + sdk.count("embedded.broken")
                  - sdk.count("embedded.late"));
    }
  }

  private void runUntilSampled(int threads, Runnable work) throws Exception {
    try (AutoCloseable closed = (AutoCloseable) perTask()) {
      ExecutorService executor = (ExecutorService) closed;
      AtomicBoolean ends = new AtomicBoolean();
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(
            executor.submit(
                () -> {
                  while (!ends.get()) {
                    work.run();
                  }
                }));
      }
      while (sdk.samplesOfEndpoints() < SAMPLES && running.stream().noneMatch(Future::isDone)) {
        Thread.sleep(100);
      }
      ends.set(true);
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  private static String describe(JoinedSample sample) {
    StringBuilder text = new StringBuilder();
    for (Frame frame : sample.stackTrace.frames) {
      text.append(frame.className).append('.').append(frame.methodName).append('\n');
    }
    return text.toString();
  }

  @Test
  void samples_ofThreadsThatCompute_belongToTheirSpans() throws Exception {
    judge(20, () -> request(() -> Endpoints.spin(ThreadLocalRandom.current().nextLong(3_000_000))));
  }

  @Test
  void samples_ofThreadsThatYield_belongToTheirSpans() throws Exception {
    judge(
        100,
        () ->
            request(
                () -> {
                  Endpoints.spin(5_000);
                  Thread.yield();
                }));
  }

  @Test
  void samples_ofThreadsThatPark_belongToTheirSpans() throws Exception {
    judge(
        500,
        () ->
            request(
                () -> {
                  Endpoints.spin(10_000);
                  LockSupport.parkNanos(1_000);
                }));
  }

  @Test
  void samples_ofThreadsThatCompeteForMonitors_belongToTheirSpans() throws Exception {
    Object monitor = new Object();
    judge(
        50,
        () ->
            request(
                () -> {
                  synchronized (monitor) {
                    Endpoints.spin(20_000);
                  }
                }));
  }

  @Test
  void samples_ofPinnedThreads_belongToTheirSpans() throws Exception {
    judge(
        20,
        () ->
            request(
                () -> {
                  Endpoints.spin(50_000);
                  Pinned.park();
                }));
  }

  /** Its initializer, which no virtual thread can leave, parks. */
  static final class Pinned {
    static {
      LockSupport.parkNanos(10_000);
    }

    /** Initializes the class anew. */
    static void park() {
      try {
        Class.forName(Pinned.class.getName(), true, new OwnLoader());
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Defines this class itself. */
    private static final class OwnLoader extends ClassLoader {
      private OwnLoader() {
        super(Pinned.class.getClassLoader());
      }

      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return name.equals(Pinned.class.getName())
            ? findClass(name)
            : super.loadClass(name, resolve);
      }

      @Override
      protected Class<?> findClass(String name) {
        return defineClass(name, BYTES, 0, BYTES.length);
      }
    }
  }

  @Test
  void samples_ofManyShortThreads_belongToTheirSpans() throws Exception {
    judge(
        4,
        () ->
            request(
                endpoint -> {
                  Runnable task = Context.current().wrap(() -> Endpoints.run(endpoint, 100_000));
                  try (AutoCloseable executor = (AutoCloseable) perTask()) {
                    for (int i = 0; i < 10; i++) {
                      ((ExecutorService) executor).execute(task);
                    }
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                }));
  }
}
