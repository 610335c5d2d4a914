/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.protocol.HexIds;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.PlainTracker;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Local roots use constant time and memory, whatever ids they have, and whether or not they end.
 */
class ManySpansTest {
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  private static final int MAX = 6_400;

  private static SdkTracerProvider sdk(LocalRootSpans localRoots, IdGenerator ids) {
    return SdkTracerProvider.builder()
        .setIdGenerator(ids)
        .setSampler(new LocalRootSampler(Sampler.alwaysOn(), () -> true))
        .addSpanProcessor(PlainTracker.of(localRoots))
        .build();
  }

  /** Returns a generator that numbers traces, and derives span ids from the number of the span. */
  private static IdGenerator ids(LongUnaryOperator spanIds) {
    return new IdGenerator() {
      private long traces;
      private long spans;

      @Override
      public String generateSpanId() {
        return HexIds.toHex(spanIds.applyAsLong(++spans));
      }

      @Override
      public String generateTraceId() {
        return HexIds.toHex(++traces, 1);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"random", "sequential", "constant low bits"})
  void spansThatNeverEnd_anyIds_displaceOneAnother(String generator) {
    IdGenerator ids =
        switch (generator) {
          case "sequential" -> ids(i -> i);
          case "constant low bits" -> ids(i -> i << 32 | 1);
          default -> IdGenerator.random();
        };
    LocalRootSpans localRoots = new LocalRootSpans(MAX);
    try (LogCapturer log = new LogCapturer();
        SdkTracerProvider provider = sdk(localRoots, ids)) {
      Tracer tracer = provider.get("test");
      List<Span> reachable = new ArrayList<>();
      for (int i = 0; i < 10 * MAX; i++) {
        reachable.add(tracer.spanBuilder("endless").setNoParent().startSpan());
      }
      Span last = tracer.spanBuilder("last").setNoParent().startSpan();

      assertThat(localRoots.size()).isBetween(MAX * 9 / 10, MAX);
      assertThat(localRoots.displaced()).isEqualTo(10L * MAX + 1 - localRoots.size());
      assertThat(localRoots.entryOf(last.getSpanContext())).isNotNull();
      assertThat(log.warnings())
          .singleElement()
          .asString()
          .contains("have not ended", MAX + " may");
      last.end();
      reachable.clear();
    }
  }

  @Test
  void rootsThatWait_tableIsFull_staysKnown() {
    LocalRootSpans localRoots = new LocalRootSpans(MAX);
    try (LogCapturer log = new LogCapturer();
        SdkTracerProvider provider = sdk(localRoots, IdGenerator.random())) {
      Tracer tracer = provider.get("test");
      List<Span> waiting = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Span root = tracer.spanBuilder("waits").setNoParent().startSpan();
        localRoots.entryOf(root.getSpanContext()).retain();
        root.end();
        waiting.add(root);
      }
      List<Span> reachable = new ArrayList<>();
      for (int i = 0; i < 10 * MAX; i++) {
        reachable.add(tracer.spanBuilder("endless").setNoParent().startSpan());
      }
      assertThat(waiting)
          .allSatisfy(root -> assertThat(find(localRoots, root.getSpanContext())).isNotNull());
      assertThat(log.warnings()).hasSize(1);
      reachable.clear();
    }
  }

  @Test
  void rootsThatWait_moreThanMayRun_displaceNothing() {
    LocalRootSpans localRoots = new LocalRootSpans(MAX);
    try (LogCapturer log = new LogCapturer();
        SdkTracerProvider provider = sdk(localRoots, IdGenerator.random())) {
      Tracer tracer = provider.get("test");
      List<LocalRoot> waiting = new ArrayList<>();
      List<Span> running = new ArrayList<>();
      for (int i = 0; i < 10 * MAX; i++) {
        Span root = tracer.spanBuilder("root").setNoParent().startSpan();
        if (i % 100 == 0) {
          running.add(root);
        } else {
          LocalRoot entry = localRoots.entryOf(root.getSpanContext());
          assertThat(entry.retain()).isTrue();
          waiting.add(entry);
          root.end();
        }
      }
      assertThat(localRoots.displaced()).isZero();
      assertThat(running)
          .allSatisfy(root -> assertThat(find(localRoots, root.getSpanContext())).isNotNull());
      waiting.forEach(localRoots::release);
      assertThat(localRoots.size()).isEqualTo(running.size());
      assertThat(log.warnings()).isEmpty();
    }
  }

  @Test
  void spansThatNobodyCanEnd_leaveWhenOthersStart() {
    LocalRootSpans localRoots = new LocalRootSpans(MAX);
    try (LogCapturer log = new LogCapturer();
        SdkTracerProvider provider = sdk(localRoots, IdGenerator.random())) {
      Tracer tracer = provider.get("test");
      Span running = tracer.spanBuilder("running").setNoParent().startSpan();
      WeakReference<Span> first =
          new WeakReference<>(tracer.spanBuilder("first").setNoParent().startSpan());
      for (int i = 0; i < MAX / 2; i++) {
        tracer.spanBuilder("endless").setNoParent().startSpan();
      }
      await()
          .until(
              () -> {
                System.gc();
                return first.get() == null;
              });
      List<Span> later = new ArrayList<>();
      while (later.size() < MAX / 2) { // more might not fit into one of the tables, by chance
        later.add(tracer.spanBuilder("later").setNoParent().startSpan());
      }
      assertThat(localRoots.displaced()).isZero();
      assertThat(localRoots.size()).isBetween(later.size() + 1, MAX);
      later.add(running);
      assertThat(later)
          .allSatisfy(root -> assertThat(find(localRoots, root.getSpanContext())).isNotNull());
      assertThat(log.warnings()).isEmpty();
    }
  }

  @Test
  void maxRoots_ofAHeap_areAShareOfIt() {
    assertThat(LocalRootSpans.maxRoots(32 << 20)).isEqualTo(16_384);
    assertThat(LocalRootSpans.maxRoots(1L << 30) * 216L).isBetween(64_000_000L, (1L << 30) / 16);
    assertThat(LocalRootSpans.maxRoots(Long.MAX_VALUE)).isEqualTo(1 << 21);
  }

  @Test
  void spanIds_thatTracesShare_areToldApart() {
    LocalRootSpans localRoots = new LocalRootSpans();
    try (SdkTracerProvider provider = sdk(localRoots, ids(i -> 1 + i % 2))) {
      Tracer tracer = provider.get("test");
      List<SpanContext> roots = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        roots.add(tracer.spanBuilder("root").setNoParent().startSpan().getSpanContext());
      }
      for (SpanContext root : roots) {
        assertThat(find(localRoots, root)).isSameAs(LocalRootTraceState.rootOf(root)).isNotNull();
      }
    }
  }

  /** Finds a local root as a message does. */
  private static LocalRoot find(LocalRootSpans localRoots, SpanContext span) {
    return localRoots.find(
        HexIds.parseLong(span.getTraceId(), 0),
        HexIds.parseLong(span.getTraceId(), 16),
        HexIds.parseLong(span.getSpanId(), 0));
  }

  @Test
  void request_amongOthersWithItsTraceId_costsNoMore() {
    long distinct = nanosPerRequest(i -> i);
    long oneTraceId = nanosPerRequest(i -> 1);

    assertThat(oneTraceId).as("ns, %d with distinct ids", distinct).isLessThan(5 * distinct);
  }

  private static long nanosPerRequest(LongUnaryOperator traces) {
    LocalRootSpans localRoots = new LocalRootSpans();
    try (SdkTracerProvider provider = sdk(localRoots, IdGenerator.random())) {
      Tracer tracer = provider.get("test");
      long number = 0;
      List<Span> live = new ArrayList<>();
      while (live.size() < 8_000) {
        live.add(request(tracer, traces.applyAsLong(++number)));
      }
      long best = Long.MAX_VALUE;
      for (int round = 0; round < 30; round++) {
        int requests = 200;
        long begin = CPU.getCurrentThreadCpuTime();
        for (int i = 0; i < requests; i++) {
          Span request = request(tracer, traces.applyAsLong(++number));
          assertThat(localRoots.entryOf(request.getSpanContext()) != null).isTrue();
          request.end();
        }
        best = Math.min(best, (CPU.getCurrentThreadCpuTime() - begin) / requests);
      }
      return best;
    }
  }

  /** Starts a request as a propagator does, with new strings. */
  private static Span request(Tracer tracer, long trace) {
    SpanContext sender =
        SpanContext.createFromRemoteParent(
            HexIds.toHex(1, trace),
            HexIds.toHex(trace),
            TraceFlags.getSampled(),
            TraceState.getDefault());
    Context received = Context.root().with(Span.wrap(sender));
    return tracer.spanBuilder("request").setParent(received).startSpan();
  }
}
