/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.flamespan.correlation.internal.embedded.Work;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Promise: requests that wait for a monitor have samples of who held it, and never of others. */
class HoldersTest {
  private static final int ROUNDS = 40;
  private static final int WAITING = 3;
  private static final long HOLD_MILLIS = 20;

  /** The class of the monitor. */
  private static final class OrderBook {}

  /** A time in which a thread had the monitor, until the next one got it. */
  private record Held(String by, long begin, long end) {}

  private static ProfiledSdk sdk;

  private final OrderBook book = new OrderBook();
  private final List<Held> acquired = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, long[]> waits = Collections.synchronizedMap(new HashMap<>());

  @BeforeAll
  static void start() {
    sdk = new ProfiledSdk(Map.of("embedded.profiler.events", "cpu,holders"));
    HoldersTest first = new HoldersTest();
    await() // the JVM records when a thread of its own has started that
        .atMost(2, TimeUnit.MINUTES)
        .until(
            () -> {
              first.round(span -> {});
              return sdk.sampled.stream().anyMatch(sample -> sample.kind == SampleKind.HOLDER);
            });
  }

  @AfterAll
  static void stop() {
    sdk.close();
  }

  /** What a thread does when it has released the monitor, and its span is still current. */
  private interface Afterwards {
    void run(Span span) throws InterruptedException;
  }

  /** A request holds the monitor while others wait, which then have it one after the other. */
  private void round(Afterwards afterwards) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(WAITING);
    List<Thread> waiting = new ArrayList<>();
    Thread holding =
        new Thread(
            () -> {
              Span span = sdk.tracer().spanBuilder("GET /export").startSpan();
              try {
                try (Scope scope = span.makeCurrent()) {
                  hold(span, () -> startAndAwaitBlocked(waiting));
                }
                afterwards.run(span);
                ended.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              } finally {
                span.end();
              }
            },
            "exporting");
    for (int i = 0; i < WAITING; i++) {
      waiting.add(new Thread(() -> waitAndHold(ended), "ordering-" + i));
    }
    holding.start();
    holding.join();
    for (Thread thread : waiting) {
      thread.join();
    }
  }

  private void hold(Span span, Runnable first) {
    synchronized (book) {
      acquired.add(new Held(span.getSpanContext().getSpanId(), System.nanoTime(), 0));
      first.run();
      sleep();
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(HOLD_MILLIS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void startAndAwaitBlocked(List<Thread> threads) {
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      while (thread.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
    }
  }

  private void waitAndHold(CountDownLatch ended) {
    Span span = sdk.tracer().spanBuilder("POST /order").startSpan();
    try (Scope scope = span.makeCurrent()) {
      long begin = System.nanoTime();
      hold(
          span,
          () ->
              waits.put(span.getSpanContext().getSpanId(), new long[] {begin, System.nanoTime()}));
      ended.countDown();
      ended.await(); // so that no span ends soon after it has released the monitor
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      span.end();
    }
  }

  private List<JoinedSample> samples(Predicate<JoinedSample> which) {
    return sdk.sampled.stream()
        .filter(sample -> sample.kind == SampleKind.HOLDER && waits.containsKey(waiting(sample)))
        .filter(which)
        .collect(Collectors.toList());
  }

  private static String waiting(JoinedSample sample) {
    return spanId(sample.work);
  }

  private static String holder(JoinedSample sample) {
    return spanId(sample.holder.work);
  }

  private static String spanId(@Nullable Work work) {
    return work == null ? "" : String.format("%016x", work.localRootSpanId);
  }

  private void awaitSamples() {
    await()
        .atMost(1, TimeUnit.MINUTES)
        .until(
            () ->
                samples(sample -> true).stream().map(HoldersTest::waiting).distinct().count()
                    == waits.size());
  }

  private static long sum(List<JoinedSample> samples) {
    return samples.stream().mapToLong(sample -> sample.amount(0)).sum();
  }

  /** Returns for how long a request had the monitor during a wait, until the next one got it. */
  private long held(String by, long[] wait) {
    long sum = 0;
    for (int i = 0; i < acquired.size(); i++) {
      Held held = acquired.get(i);
      long end = i + 1 < acquired.size() ? acquired.get(i + 1).begin : Long.MAX_VALUE;
      if (held.by.equals(by)) {
        sum += Math.max(0, Math.min(end, wait[1]) - Math.max(held.begin, wait[0]));
      }
    }
    return sum;
  }

  @Test
  void waits_ofSeveralRequests_nameEachThatHeldTheMonitor() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      round(span -> {});
    }
    awaitSamples();

    long waited = waits.values().stream().mapToLong(wait -> wait[1] - wait[0]).sum();
    List<JoinedSample> wrong =
        samples(
            sample ->
                sample.holder.work != null
                    && held(holder(sample), waits.get(waiting(sample))) == 0);
    long right =
        samples(sample -> sample.holder.work != null).stream()
            .mapToLong(
                sample ->
                    Math.min(sample.amount(0), held(holder(sample), waits.get(waiting(sample)))))
            .sum();
    assertThat(wrong).isEmpty();
    assertThat(right).isGreaterThan(Math.round(0.95 * waited));
    assertThat(sum(samples(sample -> true))).isLessThanOrEqualTo(Math.round(1.05 * waited));
    assertThat(samples(sample -> true))
        .allSatisfy(
            sample -> {
              assertThat(sample.stackTrace.frames).hasSize(1);
              assertThat(sample.stackTrace.frames.get(0).className)
                  .isEqualTo(OrderBook.class.getName());
              assertThat(sample.threadName).startsWith("ordering-");
              assertThat(sample.holder.threadName).matches("exporting|ordering-\\d");
            });
  }

  @Test
  void holder_thatTurnsToAnotherRequestAtOnce_isNotThatRequest() throws Exception {
    List<String> next = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      Span span = sdk.tracer().spanBuilder("GET /next").startSpan();
      next.add(span.getSpanContext().getSpanId());
      round(
          exported -> {
            try (Scope scope = span.makeCurrent()) {
              exported.end();
              while (waits.size() < WAITING * next.size()) {
                Thread.sleep(1);
              }
            } finally {
              span.end();
            }
          });
    }
    awaitSamples();
    assertThat(samples(sample -> next.contains(holder(sample)))).isEmpty();
    assertThat(
            samples(
                sample ->
                    sample.holder.work != null
                        && held(holder(sample), waits.get(waiting(sample))) == 0))
        .isEmpty();
  }

  @Test
  void holder_withoutASpan_isKnownByItsThread() throws Exception {
    CountDownLatch done = new CountDownLatch(WAITING);
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      waiting.add(new Thread(() -> waitAndHold(done), "ordering-" + i));
    }
    Thread cleaning =
        new Thread(
            () -> {
              synchronized (book) {
                startAndAwaitBlocked(waiting);
                sleep();
              }
            },
            "cleaning");
    cleaning.start();
    cleaning.join();
    for (Thread thread : waiting) {
      thread.join();
    }
    awaitSamples();

    assertThat(samples(sample -> sample.holder.threadName.equals("cleaning")))
        .hasSize(WAITING)
        .allSatisfy(sample -> assertThat(sample.holder.work).isNull());
  }
}
