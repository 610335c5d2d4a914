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
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.stream.Collectors;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Promise: a request that waits for a lock has a sample of who held it. */
class HoldersTest {
  private static final int ROUNDS = 20;
  private static final int WAITING = 3;
  private static final long HOLD_MILLIS = 20;
  private static final Logger LOGGER = Logger.getLogger("io.flamespan");
  private static final String REPOSITORY = "jdk.jfr.repository";

  /** The class of the monitor. */
  private static final class OrderBook {}

  private final List<LogRecord> lines = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new StreamHandler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(line);
        }
      };
  private final OrderBook book = new OrderBook();
  private final List<String> acquired = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, String> heldBefore = Collections.synchronizedMap(new HashMap<>());
  private final Semaphore done = new Semaphore(0);
  private final CountDownLatch isRead = new CountDownLatch(1);
  private @Nullable ProfiledSdk sdk;

  @BeforeEach
  void listen() {
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void stop() {
    LOGGER.removeHandler(handler);
    isRead.countDown();
    close();
  }

  private void close() {
    if (sdk != null) {
      sdk.close();
    }
  }

  /** Returns when the JVM records. */
  private void start() {
    sdk = new ProfiledSdk(Map.of("embedded.profiler.events", "cpu,holders"));
    await().atMost(2, TimeUnit.MINUTES).until(() -> recording() != null && areWaitsRecorded());
  }

  /** They are soon after a recording is said to run. */
  private static boolean areWaitsRecorded() {
    return FlightRecorder.getFlightRecorder().getEventTypes().stream()
        .anyMatch(type -> type.getName().equals(MonitorWaits.EVENT) && type.isEnabled());
  }

  private static @Nullable Recording recording() {
    return FlightRecorder.getFlightRecorder().getRecordings().stream()
        .filter(one -> one.getName().equals(MonitorRecording.NAME))
        .filter(one -> one.getState() == RecordingState.RUNNING)
        .findFirst()
        .orElse(null);
  }

  /** What a thread does when it has released the monitor, and its span is still current. */
  private interface Afterwards {
    void run(Span span) throws InterruptedException;
  }

  /** A request holds the monitor while others wait, which then have it one after the other. */
  private void round(Afterwards afterwards) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(WAITING);
    List<Thread> waiting = waiting(ended);
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
                end(span);
              }
            },
            "exporting");
    holding.start();
    done.acquire(1 + WAITING);
  }

  /** The thread goes on, because the JVM does not always tell the ids of those that have ended. */
  private void end(Span span) {
    span.end();
    done.release();
    awaitZero(isRead);
  }

  private List<Thread> waiting(CountDownLatch ended) {
    List<Thread> waiting = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      waiting.add(new Thread(() -> waitAndHold(ended), "ordering-" + i));
    }
    return waiting;
  }

  private void hold(Span span, Runnable first) {
    synchronized (book) {
      acquired.add(span.getSpanContext().getSpanId());
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

  private void startAndAwaitBlocked(List<Thread> threads) {
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      while (!waitsForBook(thread)) {
        Thread.onSpinWait();
      }
    }
  }

  /** A thread may also be blocked by another monitor before. */
  private boolean waitsForBook(Thread thread) {
    ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
    LockInfo lock = info == null ? null : info.getLockInfo();
    return lock != null
        && info.getThreadState() == Thread.State.BLOCKED
        && lock.getIdentityHashCode() == System.identityHashCode(book);
  }

  private void waitAndHold(CountDownLatch ended) {
    Span span = sdk.tracer().spanBuilder("POST /order").startSpan();
    try (Scope scope = span.makeCurrent()) {
      hold(
          span,
          () -> {
            String before = acquired.size() < 2 ? "" : acquired.get(acquired.size() - 2);
            heldBefore.put(span.getSpanContext().getSpanId(), before);
          });
      ended.countDown();
      ended.await(); // so that no span ends soon after it has released the monitor
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      end(span);
    }
  }

  /** They may also wait for a lock of the JVM, for instance to load a class. */
  private List<JoinedSample> samples() {
    return samplesOf(OrderBook.class).stream()
        .filter(sample -> heldBefore.containsKey(spanId(sample.work)))
        .collect(Collectors.toList());
  }

  /** A busy machine may let the SDK close before the last ones arrive. */
  private void awaitSamples(int count) {
    close();
    await().atMost(1, TimeUnit.MINUTES).until(() -> samples().size() >= count);
    isRead.countDown();
    assertThat(samples()).hasSize(count);
  }

  private static void awaitZero(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertRightOrUnknown(JoinedSample sample) {
    assertThat(spanId(sample.holder.work))
        .as("held by %s for %s", sample.holder.threadName, sample.threadName)
        .isIn(heldBefore.get(spanId(sample.work)), spanId(Work.UNKNOWN));
  }

  private static String spanId(@Nullable Work work) {
    return work == null ? "" : String.format("%016x", work.localRootSpanId);
  }

  private List<String> warnings() {
    return lines.stream()
        .filter(line -> line.getLevel().getName().equals("WARNING"))
        .map(LogRecord::getMessage)
        .collect(Collectors.toList());
  }

  @Test
  void waits_ofRequests_nameTheOneThatHeldTheMonitorLast() throws Exception {
    start();
    for (int i = 0; i < ROUNDS; i++) {
      round(span -> {});
      try (Recording other = new Recording()) {
        other.start(); // begins a new chunk of all recordings
      }
    }
    awaitSamples(ROUNDS * WAITING);

    assertThat(samples())
        .allSatisfy(
            sample -> {
              assertRightOrUnknown(sample);
              assertThat(sample.holder.threadName).matches("exporting|ordering-\\d");
              assertThat(sample.threadName).startsWith("ordering-");
              assertThat(sample.amount(0)).isGreaterThanOrEqualTo(HOLD_MILLIS * 1_000_000 / 2);
            });
    assertThat(samples())
        .filteredOn(sample -> sample.holder.work != Work.UNKNOWN)
        .hasSizeGreaterThan(ROUNDS * WAITING / 2); // all, unless clocks are read late
    await().atMost(1, TimeUnit.MINUTES).until(() -> recording() == null);
    assertThat(warnings()).isEmpty();
  }

  @Test
  void holder_thatTurnsToAnotherRequestAtOnce_isNotThatRequest() throws Exception {
    start();
    List<String> next = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      Span span = sdk.tracer().spanBuilder("GET /next").startSpan();
      next.add(span.getSpanContext().getSpanId());
      round(
          exported -> {
            try (Scope scope = span.makeCurrent()) {
              exported.end();
              while (heldBefore.size() < WAITING * next.size()) {
                Thread.sleep(1);
              }
            } finally {
              span.end();
            }
          });
    }
    awaitSamples(ROUNDS * WAITING);

    assertThat(samples()).allSatisfy(this::assertRightOrUnknown);
  }

  @Test
  void holder_withoutASpan_isKnownByItsThread() throws Exception {
    start();
    List<Thread> waiting = waiting(new CountDownLatch(WAITING));
    Thread cleaning =
        new Thread(
            () -> {
              synchronized (book) {
                startAndAwaitBlocked(waiting);
                sleep();
              }
              awaitZero(isRead);
            },
            "cleaning");
    cleaning.start();
    done.acquire(WAITING);
    awaitSamples(WAITING);

    assertThat(samples())
        .filteredOn(sample -> sample.holder.work == null)
        .singleElement()
        .satisfies(sample -> assertThat(sample.holder.threadName).isEqualTo("cleaning"));
  }

  /** A request owns a lock while another one waits. Returns what the other one has waited for. */
  private String roundOf(ReentrantLock lock, Span owning) throws InterruptedException {
    Span span = sdk.tracer().spanBuilder("POST /order").startSpan();
    Thread waiting =
        new Thread(
            () -> {
              try (Scope scope = span.makeCurrent()) {
                lock.lock();
                lock.unlock();
              } finally {
                span.end();
              }
            },
            "ordering");
    try (Scope scope = owning.makeCurrent()) {
      lock.lock();
      waiting.start();
      while (!lock.hasQueuedThread(waiting)) {
        Thread.onSpinWait();
      }
      sleep();
      lock.unlock();
    }
    waiting.join();
    return span.getSpanContext().getSpanId();
  }

  @Test
  void ownersOfReentrantLocks_areNamedByTheirRequests() throws Exception {
    start();
    ReentrantLock lock = new ReentrantLock();
    Map<String, String> owners = new HashMap<>();
    await()
        .atMost(2, TimeUnit.MINUTES)
        .until(
            () -> {
              Span owning = sdk.tracer().spanBuilder("GET /export").startSpan();
              owners.put(roundOf(lock, owning), owning.getSpanContext().getSpanId());
              owning.end();
              return samplesOf(ReentrantLock.class).size() >= ROUNDS;
            });

    assertThat(samplesOf(ReentrantLock.class))
        .allSatisfy(
            sample -> {
              assertThat(spanId(sample.holder.work)).isEqualTo(owners.get(spanId(sample.work)));
              assertThat(sample.threadName).isEqualTo("ordering");
              assertThat(sample.amount(0)).isPositive();
            });
    assertThat(warnings()).isEmpty();
  }

  private List<JoinedSample> samplesOf(Class<?> lock) {
    return sdk.sampled.stream()
        .filter(sample -> sample.kind == SampleKind.HOLDER)
        .filter(sample -> sample.stackTrace.frames.get(0).className.equals(lock.getName()))
        .collect(Collectors.toList());
  }

  /** The JVM ends if it cannot write what it records. */
  @Test
  void recording_onADiskThatFills_endsWithOneWarning() {
    start();
    String repository = System.setProperty(REPOSITORY, "/proc"); // which has no room
    try {
      await().atMost(2, TimeUnit.MINUTES).until(() -> recording() == null);
      await().atMost(1, TimeUnit.MINUTES).until(() -> !warnings().isEmpty());
    } finally {
      System.setProperty(REPOSITORY, repository);
    }

    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("/proc has 0 MB left for the Flight Recorder, which needs 64", "holders");
  }

  @Test
  void recording_thatSomebodyStops_endsWithOneWarningAndNothingElse() throws Exception {
    start();
    recording().stop();
    int before = sdk.sampled.size();
    sdk.flush();
    close();
    await().atMost(1, TimeUnit.MINUTES).until(() -> !warnings().isEmpty());

    assertThat(sdk.sampled.size()).isGreaterThan(before);
    assertThat(samples()).isEmpty();
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("not known who holds locks", MonitorRecording.NAME, "embedded.profiler.events");
    await()
        .atMost(1, TimeUnit.MINUTES)
        .until(
            () ->
                FlightRecorder.getFlightRecorder().getRecordings().stream()
                    .noneMatch(one -> one.getName().contains(MonitorRecording.NAME)));
  }

  @Test
  void otherRecording_thatRunsAtTheStart_isToldOfInOneLine() {
    try (Recording other = new Recording()) {
      other.setName("of the application");
      other.enable("jdk.JavaMonitorEnter").withThreshold(Duration.ofMillis(20));
      other.start();
      start();
      close();
    }

    assertThat(lines)
        .extracting(LogRecord::getMessage)
        .filteredOn(line -> line.contains("from 1 ms on"))
        .singleElement()
        .asString()
        .contains("of the application");
    assertThat(warnings()).isEmpty();
  }
}
