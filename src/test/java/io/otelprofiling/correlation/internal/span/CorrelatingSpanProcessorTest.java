/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.otelprofiling.correlation.testing.LogCapturer;
import io.otelprofiling.correlation.testing.RecordingSpanProcessor;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CorrelatingSpanProcessorTest {
  private static final int CAPACITY = 3;

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 50); // nanoTime may overflow
  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final SamplesDelay delay = new SamplesDelay();
  private final RecordingSpanProcessor downstream = new RecordingSpanProcessor();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private int waitingSpans;
  private final CorrelatingSpanProcessor processor =
      new CorrelatingSpanProcessor(downstream, localRoots, delay, channel(), CAPACITY, clock::get);
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder()
          .addSpanProcessor(
              new LocalRootTracker(localRoots, () -> null, CompletableResultCode::ofSuccess))
          .addSpanProcessor(processor)
          .build();

  private CorrelatingSpanProcessor.Channel channel() {
    return new CorrelatingSpanProcessor.Channel() {
      @Override
      public void execute(Runnable task) {
        tasks.add(task);
      }

      @Override
      public void spanWaits() {
        waitingSpans++;
      }
    };
  }

  @AfterEach
  void close() {
    downstream.shutdownResult.succeed();
    provider.shutdown();
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
  void spansPassAsTheSameObjectWhileInactive() {
    Span root = root();
    root.end();

    assertThat(downstream.ended).singleElement().isSameAs(root);
    assertThat(waitingSpans).isZero();
  }

  @Test
  void childSpansPassAtOnce() {
    delay.activate(100);
    Span root = root();
    Span child = start(Context.root().with(root));
    child.end();

    assertThat(downstream.ended).singleElement().isSameAs(child);
  }

  @Test
  void aLocalRootWaitsForExactlyTheDelay() {
    delay.activate(100);
    Span root = root();
    root.end();
    assertThat(processor.releaseDue()).isEqualTo(100);

    clock.addAndGet(99);
    assertThat(processor.releaseDue()).isEqualTo(1);
    assertThat(downstream.ended).isEmpty();

    clock.addAndGet(1);
    assertThat(processor.releaseDue()).isEqualTo(CorrelatingSpanProcessor.EMPTY);
    assertThat(downstream.ended).singleElement().isSameAs(root);
  }

  @Test
  void aNewDelayHoldsForSpansThatWaitAlready() {
    delay.activate(1000);
    root().end();
    clock.addAndGet(60);
    delay.activate(50);
    assertThat(processor.releaseDue()).isEqualTo(CorrelatingSpanProcessor.EMPTY);

    root().end();
    delay.activate(2000);
    clock.addAndGet(1000);
    assertThat(processor.releaseDue()).isEqualTo(1000);
  }

  @Test
  void exactlyTheConfiguredNumberWaitsAndTheNextIsSentAtOnce() {
    delay.activate(100);
    try (LogCapturer log = new LogCapturer()) {
      for (int i = 0; i < CAPACITY; i++) {
        root().end();
      }
      assertThat(downstream.ended).isEmpty();

      Span overflow = root();
      localRoots.find(overflow.getSpanContext()).add(1, 2, 3, 9);
      overflow.end();
      Span second = root();
      second.end();

      assertThat(released()).containsExactly(id(overflow), id(second));
      assertThat(downstream.ended.get(0).getAttribute(CorrelatedSpan.STACK_TRACE_IDS)).hasSize(3);
      assertThat(log.warnings()).singleElement().asString().contains("buffer.size");
    }
    assertThat(waitingSpans).isEqualTo(CAPACITY);
  }

  @Test
  void forceFlushReleasesAllBeforeDownstreamAndCompletesAfterIt() {
    delay.activate(100);
    root().end();
    root().end();
    CompletableResultCode result = processor.forceFlush();
    assertThat(downstream.ended).isEmpty();

    tasks.remove().run();
    assertThat(downstream.endedAtFlush).isEqualTo(2);
    assertThat(result.isDone()).isFalse();

    downstream.flushResult.fail();
    assertThat(result.isDone()).isTrue();
    assertThat(result.isSuccess()).isFalse();
  }

  @Test
  void shutdownReleasesAllAndLaterSpansPass() {
    delay.activate(100);
    root().end();
    CompletableResultCode result = processor.shutdown();
    tasks.remove().run();
    assertThat(downstream.endedAtShutdown).isEqualTo(1);
    Span late = root();
    late.end();
    assertThat(downstream.ended).hasSize(2).last().isSameAs(late);
    assertThat(result.isDone()).isFalse();
    downstream.shutdownResult.succeed();
    assertThat(result.isSuccess()).isTrue();
    assertThat(processor.shutdown()).isSameAs(result);
    assertThat(tasks).isEmpty();
  }

  @Test
  void aSpanThatEndsWhileShutdownIsOnItsWayHasItsStackTraces() {
    delay.activate(100);
    Span last = root();
    CompletableResultCode result = processor.shutdown();
    last.end();
    localRoots.find(last.getSpanContext()).add(1, 2, 1, 9);

    tasks.remove().run();
    assertThat(downstream.endedAtShutdown).isEqualTo(1);
    assertThat(downstream.ended.get(0).getAttribute(CorrelatedSpan.STACK_TRACE_IDS)).hasSize(1);
    assertThat(result.isDone()).isFalse();
  }

  @Test
  void aFailingProcessorLosesItsOwnSpanOnly() {
    delay.activate(100);
    root().end();
    downstream.failing = true;
    clock.addAndGet(100);
    try (LogCapturer log = new LogCapturer()) {
      processor.releaseDue();
      assertThat(log.warnings()).hasSize(1);
    }
    downstream.failing = false;
    Span next = root();
    next.end();
    clock.addAndGet(100);
    processor.releaseDue();
    assertThat(released()).containsExactly(id(next));
  }

  @Test
  void samplesAfterTheReleaseAreNotTaken() {
    delay.activate(100);
    Span root = root();
    LocalRoot localRoot = localRoots.find(root.getSpanContext());
    assertThat(localRoot.add(1, 1, 1, 9)).isOne();
    root.end();
    assertThat(localRoot.add(1, 1, 1, 9)).isOne();
    processor.releaseAll();
    assertThat(localRoot.add(1, 1, 1, 9)).isEqualTo(LocalRoot.FROZEN);
    ReadableSpan released = downstream.ended.get(0);
    assertThat(released.getAttribute(CorrelatedSpan.STACK_TRACE_IDS)).hasSize(2);
  }
}
