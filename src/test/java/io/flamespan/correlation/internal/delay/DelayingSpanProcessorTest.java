/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.localroot.LocalRootSampler;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.wrapping.CorrelatedSpan;
import io.flamespan.correlation.internal.wrapping.SampleReport;
import io.flamespan.correlation.testing.DecidingSampler;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.PlainTracker;
import io.flamespan.correlation.testing.RecordingSpanProcessor;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DelayingSpanProcessorTest {
  private static final int CAPACITY = 3;

  private static final long TICK = 1 << 10; // times of local roots are not finer

  private final AtomicLong clock =
      new AtomicLong(Long.MAX_VALUE / TICK * TICK - 50 * TICK); // nanoTime may overflow
  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final SamplesDelay delay = new SamplesDelay(clock::get);
  private final RecordingSpanProcessor downstream = new RecordingSpanProcessor();
  private final AtomicInteger wakeUps = new AtomicInteger();
  private SamplingResult sampling = SamplingResult.recordAndSample();
  private Runnable arriving = () -> {};
  private final SharedState shared =
      new SharedState(
          localRoots, delay, again -> arriving.run(), new SampleReport(null, null), CAPACITY);
  private final DelayingSpanProcessor processor = processor(downstream);
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder()
          .setSampler(
              new LocalRootSampler(new DecidingSampler((name, kind) -> sampling), () -> true))
          .addSpanProcessor(processor)
          .addSpanProcessor(PlainTracker.of(localRoots))
          .build();

  /** Returns a processor without a thread: the test calls its rounds. */
  private DelayingSpanProcessor processor(SpanProcessor behind) {
    return new DelayingSpanProcessor(behind, 0, shared, wakeUps::incrementAndGet);
  }

  @BeforeEach
  void start() {
    processor.start();
  }

  @AfterEach
  void close() {
    downstream.shutdownResult.succeed();
    provider.shutdown();
    clock.addAndGet(TimeUnit.HOURS.toNanos(1));
    processor.round();
    processor.round();
  }

  private Span start(Context parent) {
    return provider.get("test").spanBuilder("span").setParent(parent).startSpan();
  }

  private Span root() {
    return start(Context.root());
  }

  private List<String> released() {
    return downstream.ended.stream().map(span -> span.getSpanContext().getSpanId()).toList();
  }

  private static String id(Span span) {
    return span.getSpanContext().getSpanId();
  }

  @Test
  void round_spanThatEndedWhileMessagesWereRead_waits() {
    delay.activate(0);
    arriving =
        () -> {
          arriving = () -> {};
          clock.addAndGet(TICK);
          root().end();
        };
    processor.round();
    assertThat(downstream.ended).isEmpty();

    processor.round();
    assertThat(downstream.ended).hasSize(1);
  }

  @Test
  void spans_whileInactive_passAsTheSameObject() {
    Span root = root();
    root.end();

    assertThat(downstream.ended).singleElement().isSameAs(root);
    assertThat(processor.delayedSpans()).isZero();
  }

  @Test
  void child_whileActive_passesAtOnce() {
    delay.activate(100 * TICK);
    Span root = root();
    Span child = start(Context.root().with(root));
    child.end();

    assertThat(downstream.ended).singleElement().isSameAs(child);
  }

  @Test
  void localRoot_recordedButNotSampled_passesAtOnce() {
    delay.activate(100 * TICK);
    Span sampled = root();
    sampled.end();
    sampling = SamplingResult.recordOnly();
    Span unsampled = root();
    unsampled.end();

    assertThat(downstream.ended).singleElement().isSameAs(unsampled);
  }

  @Test
  void localRoot_whileActive_waitsForExactlyTheDelay() {
    delay.activate(100 * TICK);
    Span root = root();
    root.end();
    processor.round();
    clock.addAndGet(99 * TICK);
    processor.round();
    assertThat(downstream.ended).isEmpty();

    clock.addAndGet(TICK);
    processor.round();
    assertThat(released()).containsExactly(id(root));
  }

  @Test
  void newDelay_whileSpansWait_holdsForThem() {
    delay.activate(1000 * TICK);
    root().end();
    clock.addAndGet(60 * TICK);
    delay.activate(50 * TICK);
    processor.round();
    assertThat(downstream.ended).hasSize(1);

    root().end();
    delay.activate(2000 * TICK);
    clock.addAndGet(1999 * TICK);
    processor.round();
    assertThat(downstream.ended).hasSize(1);
    clock.addAndGet(TICK);
    processor.round();
    assertThat(downstream.ended).hasSize(2);
  }

  @Test
  void newDelay_shorterWhileSpansWait_wakesTheReleaser() {
    delay.activate(1000 * TICK);
    root().end();
    processor.round();
    wakeUps.set(0);
    delay.activate(1000 * TICK);
    delay.activate(2000 * TICK);
    assertThat(wakeUps).hasValue(0);

    delay.activate(50 * TICK);
    assertThat(wakeUps).hasValue(1);
  }

  @Test
  void buffer_full_sendsTheNextAtOnce() {
    delay.activate(100 * TICK);
    try (LogCapturer log = new LogCapturer()) {
      for (int i = 0; i < CAPACITY; i++) {
        root().end();
      }
      assertThat(downstream.ended).isEmpty();

      Span overflow = root();
      localRoots.entryOf(overflow.getSpanContext()).add(1, 2, 3, 9);
      overflow.end();
      Span second = root();
      second.end();

      assertThat(released()).containsExactly(id(overflow), id(second));
      assertThat(downstream.ended.get(0).getAttribute(CorrelatedSpan.STACK_TRACE_IDS)).hasSize(3);
      assertThat(log.warnings()).singleElement().asString().contains("buffer.size");
    }
    assertThat(processor.waitingSpans()).isEqualTo(CAPACITY);
  }

  @Test
  void forceFlush_releasesAll_andCompletesAfterDownstream() {
    delay.activate(100 * TICK);
    root().end();
    root().end();
    CompletableResultCode result = processor.forceFlush();
    assertThat(downstream.ended).isEmpty();

    processor.round();
    assertThat(downstream.endedAtFlush).isEqualTo(2);
    root().end();
    processor.round();
    assertThat(downstream.ended).hasSize(2);
    assertThat(result.isDone()).isFalse();

    downstream.flushResult.fail();
    assertThat(result.isDone()).isTrue();
    assertThat(result.isSuccess()).isFalse();
  }

  @Test
  void shutdown_releasesAll_andPassesNoLaterSpan() {
    delay.activate(100 * TICK);
    Span late = root();
    Span lateChild = start(Context.root().with(late));
    root().end();
    CompletableResultCode result = processor.shutdown();
    processor.round();
    assertThat(downstream.endedAtShutdown).isEqualTo(1);
    lateChild.end();
    late.end();
    processor.round();
    assertThat(downstream.ended).hasSize(1);
    assertThat(result.isDone()).isFalse();
    downstream.shutdownResult.succeed();
    assertThat(result.isSuccess()).isTrue();
    assertThat(processor.shutdown()).isSameAs(result);
  }

  @Test
  void lastSpan_endedDuringShutdown_hasItsStackTraces() {
    delay.activate(100 * TICK);
    Span last = root();
    CompletableResultCode result = processor.shutdown();
    last.end();
    localRoots.entryOf(last.getSpanContext()).add(1, 2, 1, 9);

    processor.round();
    assertThat(downstream.endedAtShutdown).isEqualTo(1);
    assertThat(downstream.ended.get(0).getAttribute(CorrelatedSpan.STACK_TRACE_IDS)).hasSize(1);
    assertThat(result.isDone()).isFalse();
  }

  @Test
  void downstream_failingOnce_losesOneSpan() {
    delay.activate(100 * TICK);
    root().end();
    downstream.failing = true;
    try (LogCapturer log = new LogCapturer()) {
      clock.addAndGet(100 * TICK);
      processor.round();
      assertThat(log.warnings()).hasSize(1);
    }
    downstream.failing = false;
    Span next = root();
    next.end();
    clock.addAndGet(100 * TICK);
    processor.round();
    assertThat(released()).containsExactly(id(next));
    assertThat(localRoots.size()).isZero();
  }

  @Test
  void span_whoseIdsCannotBeAdded_isPassedOnAsItIs() {
    delay.activate(100 * TICK);
    Span root = root();
    ReadableSpan failing =
        (ReadableSpan)
            Proxy.newProxyInstance(
                ReadableSpan.class.getClassLoader(),
                new Class<?>[] {ReadableSpan.class},
                (proxy, method, args) -> {
                  if (method.getName().equals("getAttribute")) {
                    throw new IllegalStateException("requested by the test");
                  }
                  return method.invoke(root, args);
                });
    localRoots.entryOf(root.getSpanContext()).add(1, 2, 3, 9);
    processor.onEnd(failing);
    clock.addAndGet(100 * TICK);
    try (LogCapturer log = new LogCapturer()) {
      processor.round();
      assertThat(log.warnings()).singleElement().asString().contains("without its stack traces");
    }
    assertThat(downstream.ended).hasSize(1);
    assertThat(downstream.ended.get(0) == failing).isTrue();
    root.end();
  }

  @Test
  void samples_afterTheRelease_areNotTaken() {
    delay.activate(100 * TICK);
    Span root = root();
    LocalRoot localRoot = localRoots.entryOf(root.getSpanContext());
    assertThat(localRoot.add(1, 1, 1, 9)).isOne();
    root.end();
    assertThat(localRoot.add(1, 1, 1, 9)).isOne();
    processor.forceFlush();
    processor.round();
    assertThat(localRoot.add(1, 1, 1, 9)).isEqualTo(LocalRoot.FROZEN);
    ReadableSpan released = downstream.ended.get(0);
    assertThat(released.getAttribute(CorrelatedSpan.STACK_TRACE_IDS)).hasSize(2);
  }

  @Test
  void flush_fromWithinADelayedEnd_completesAtOnce() {
    delay.activate(100 * TICK);
    downstream.flushResult.succeed();
    List<Boolean> flushed = new ArrayList<>();
    downstream.onEnd =
        span -> flushed.add(processor.forceFlush().join(1, TimeUnit.MINUTES).isSuccess());
    Span first = root();
    first.end();
    Span second = root();
    second.end();
    clock.addAndGet(100 * TICK);
    processor.round();

    assertThat(released()).containsExactly(id(first), id(second));
    assertThat(flushed).containsExactly(true, true);
    assertThat(downstream.endedAtFlush).isEqualTo(2);
  }

  @Test
  void shutdown_fromWithinADelayedEnd_passesTheOthersFirst() {
    delay.activate(100 * TICK);
    downstream.shutdownResult.succeed();
    downstream.onEnd = span -> processor.shutdown();
    root().end();
    root().end();
    clock.addAndGet(100 * TICK);
    processor.round();

    assertThat(downstream.ended).hasSize(2);
    assertThat(downstream.endedAtShutdown).isEqualTo(2);
  }

  @Test
  void localRoot_releasedByAnotherProcessor_isNotDelayedAgain() {
    delay.activate(100 * TICK);
    RecordingSpanProcessor behindBoth = new RecordingSpanProcessor();
    DelayingSpanProcessor inner = processor(behindBoth);
    inner.start();
    downstream.onEnd = inner::onEnd;
    Span root = root();
    localRoots.entryOf(root.getSpanContext()).add(1, 2, 3, 9);
    root.end();
    clock.addAndGet(100 * TICK);
    processor.round();

    assertThat(behindBoth.ended).hasSize(1);
    assertThat(behindBoth.ended.get(0)).isSameAs(downstream.ended.get(0));
    assertThat(behindBoth.ended.get(0).getAttribute(CorrelatedSpan.STACK_TRACE_IDS)).hasSize(3);
    assertThat(processor.attachedStackTraceIds() + inner.attachedStackTraceIds()).isEqualTo(3);
  }

  @Test
  void outOfMemory_inARelease_completesTheFlush() {
    delay.activate(100 * TICK);
    downstream.flushResult.succeed();
    downstream.onEnd =
        span -> {
          throw new OutOfMemoryError("requested by the test");
        };
    root().end();
    CompletableResultCode result = processor.forceFlush();
    try (LogCapturer log = new LogCapturer()) {
      processor.round();
      assertThat(log.warnings()).hasSize(1);
    }
    assertThat(result.isSuccess()).isTrue();
  }
}
