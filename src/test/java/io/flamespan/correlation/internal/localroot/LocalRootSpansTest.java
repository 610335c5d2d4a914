/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.protocol.HexIds;
import io.flamespan.correlation.testing.DecidingSampler;
import io.flamespan.correlation.testing.PlainTracker;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalRootSpansTest {
  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final SdkTracerProvider provider = sdk(IdGenerator.random());
  private final Tracer tracer = provider.get("test");

  private SdkTracerProvider sdk(IdGenerator ids) {
    return SdkTracerProvider.builder()
        .setIdGenerator(ids)
        .setSampler(new LocalRootSampler(Sampler.alwaysOn(), () -> true))
        .addSpanProcessor(PlainTracker.of(localRoots))
        .build();
  }

  @AfterEach
  void close() {
    provider.close();
  }

  private Span start(Context parent) {
    return tracer.spanBuilder("span").setParent(parent).startSpan();
  }

  private static Context with(Span span) {
    return Context.root().with(span);
  }

  private static Context remote(Span span) {
    SpanContext context = span.getSpanContext();
    return with(
        Span.wrap(
            SpanContext.createFromRemoteParent(
                context.getTraceId(),
                context.getSpanId(),
                context.getTraceFlags(),
                TraceState.getDefault())));
  }

  private static LocalRoot rootOf(Span span) {
    return LocalRootTraceState.rootOf(span.getSpanContext());
  }

  private LocalRoot byIds(Span root) {
    String traceId = root.getSpanContext().getTraceId();
    return localRoots.find(HexIds.parseLong(traceId, 0), HexIds.parseLong(traceId, 16), id(root));
  }

  private static long id(Span span) {
    return Long.parseUnsignedLong(span.getSpanContext().getSpanId(), 16);
  }

  @Test
  void localRoot_byItsIds_isFoundAndItsChildrenAreNot() {
    Span root = start(Context.root());
    Span child = start(with(root));

    assertThat(byIds(root)).isSameAs(rootOf(root)).isSameAs(rootOf(child)).isNotNull();
    assertThat(byIds(root).spanId()).isEqualTo(id(root));
    assertThat(byIds(child)).isNull();
  }

  @Test
  void roots_belowOneReceivedContext_areToldApart() {
    Context received = remote(start(Context.root()));
    Span first = start(received);
    Span second = start(received);
    Span server =
        tracer.spanBuilder("server").setSpanKind(SpanKind.SERVER).setParent(received).startSpan();

    for (Span root : List.of(first, second, server)) {
      assertThat(rootOf(start(with(start(with(root)))))).isSameAs(byIds(root)).isNotNull();
      assertThat(byIds(root).spanId()).isEqualTo(id(root));
    }
  }

  @Test
  void child_thatOutlivesARootOfItsReceivedContext_leavesLaterRootsAlone() {
    Context received = remote(start(Context.root()));
    Span early = start(received);
    Span child = start(with(early));
    early.end();
    Span server =
        tracer.spanBuilder("server").setSpanKind(SpanKind.SERVER).setParent(received).startSpan();

    assertThat(rootOf(child).spanId()).isEqualTo(id(early));
    child.end();
    assertThat(byIds(server)).as("accepts messages").isSameAs(rootOf(server)).isNotNull();
    assertThat(byIds(server).add(1, 2, 3, 9)).isEqualTo(3);
  }

  @Test
  void roots_whoseGeneratorReturnsOneString_areToldApart() {
    String traceId = IdGenerator.random().generateTraceId();
    IdGenerator ids =
        new IdGenerator() {
          @Override
          public String generateSpanId() {
            return IdGenerator.random().generateSpanId();
          }

          @Override
          public String generateTraceId() {
            return traceId;
          }
        };
    try (SdkTracerProvider oneString = sdk(ids)) {
      Tracer theirs = oneString.get("test");
      Span first = theirs.spanBuilder("first").setNoParent().startSpan();
      Span second = theirs.spanBuilder("second").setNoParent().startSpan();
      Span child = theirs.spanBuilder("child").setParent(with(first)).startSpan();
      assertThat(rootOf(child)).isSameAs(byIds(first)).isNotSameAs(byIds(second)).isNotNull();

      child.end();
      second.end();
      assertThat(byIds(first)).isNotNull();
      assertThat(byIds(second)).isNull();
    }
  }

  @Test
  void rootsWithEqualIds_oneEnds_leavesTheOther() {
    SpanContext ids = start(Context.root()).getSpanContext();
    Span running = Span.wrap(ids);
    localRoots.onStart(SpanContext.create(ids.getTraceId(), ids.getSpanId(), sampled(), state()));
    assertThat(localRoots.size()).isEqualTo(2);

    localRoots.onEnd(ids);
    assertThat(byIds(running)).isNotNull();
    localRoots.onEnd(SpanContext.create(ids.getTraceId(), ids.getSpanId(), sampled(), state()));
    assertThat(byIds(running)).isNull();
    assertThat(localRoots.size()).isZero();
  }

  private static TraceFlags sampled() {
    return TraceFlags.getSampled();
  }

  private static TraceState state() {
    return TraceState.getDefault();
  }

  @Test
  void unfinishedSpan_unreachable_isCollected() {
    WeakReference<Span> root = new WeakReference<>(startUnfinishedTrace());
    await()
        .until(
            () -> {
              System.gc();
              return root.get() == null;
            });
  }

  private Span startUnfinishedTrace() {
    Span root = start(Context.root());
    start(with(start(with(root))));
    return root;
  }

  @Test
  void root_ended_isForgottenAtOnceAndItsSamplesAreDropped() {
    Span root = start(Context.root());
    Span child = start(with(root));
    rootOf(root).add(1, 2, 3, 9);
    root.end();

    assertThat(byIds(root)).isNull();
    assertThat(localRoots.size()).isZero();
    assertThat(rootOf(child).freeze()).isEmpty();
    assertThat(rootOf(start(with(child))).spanId()).as("leads to the root").isEqualTo(id(root));
  }

  @Test
  void rootThatWaits_afterItsEnd_isKnownUntilTheLastProcessorHasReleasedIt() {
    Span root = start(Context.root());
    LocalRoot waiting = rootOf(root);
    assertThat(waiting.retain()).isTrue();
    assertThat(waiting.retain()).isTrue();
    root.end();
    waiting.add(1, 2, 3, 9);
    List<String> ids = waiting.freeze();

    localRoots.release(waiting);
    assertThat(byIds(root)).isSameAs(waiting);
    assertThat(waiting.freeze()).isSameAs(ids).hasSize(3);

    localRoots.release(waiting);
    assertThat(byIds(root)).isNull();
    assertThat(waiting.freeze()).isEmpty();
    assertThat(waiting.retain()).isFalse();
    localRoots.release(waiting); // has no effect
    assertThat(waiting.retain()).isFalse();
  }

  @Test
  void processors_leavingOneAfterTheOther_haveWhatHasArrivedAndTheLastFreezes() {
    Span root = start(Context.root());
    LocalRoot waiting = rootOf(root);
    waiting.retain();
    waiting.retain();
    waiting.retain();
    root.end();
    waiting.add(1, 2, 3, 9);
    assertThat(localRoots.leave(waiting, false).ids()).hasSize(3);
    waiting.add(1, 2, 1, 9);
    CollectedSamples second = localRoots.leave(waiting, false);
    assertThat(second.ids()).hasSize(4);
    assertThat(second.unreported()).isEqualTo(1);
    assertThat(byIds(root)).isSameAs(waiting);

    waiting.add(1, 2, 1, 9);
    assertThat(localRoots.leave(waiting, false).ids()).hasSize(5);
    assertThat(waiting.add(1, 2, 1, 9)).isEqualTo(LocalRoot.FROZEN);
    assertThat(byIds(root)).isNull();
  }

  @Test
  void earlyLeaver_beforeOtherProcessorsSeeTheEnd_leavesTheCollectionToThem() {
    Span root = start(Context.root());
    LocalRoot waiting = rootOf(root);
    waiting.retain();
    assertThat(localRoots.leave(waiting, true).ids()).isEmpty();
    waiting.retain();
    assertThat(waiting.add(1, 2, 3, 9)).isEqualTo(3);
    root.end();

    assertThat(localRoots.leave(waiting, false).ids()).hasSize(3);
  }

  @Test
  void earlyLeaver_withSamples_hasThemAndLeavesTheCollectionToOthers() {
    LocalRoot waiting = rootOf(start(Context.root()));
    waiting.retain();
    waiting.add(1, 2, 2, 9);
    assertThat(localRoots.leave(waiting, true).ids()).hasSize(2);
    waiting.retain();
    assertThat(waiting.add(1, 2, 1, 9)).isOne();
    CollectedSamples second = localRoots.leave(waiting, false);

    assertThat(second.ids()).hasSize(3);
    assertThat(second.unreported()).isOne();
    assertThat(waiting.add(1, 2, 1, 9)).as("while the end goes on").isEqualTo(LocalRoot.FROZEN);
  }

  @Test
  void samples_afterTheOnlyProcessorHasPassedTheSpanOn_areRefused() {
    Span root = start(Context.root());
    LocalRoot waiting = rootOf(root);
    waiting.retain();
    assertThat(localRoots.leave(waiting, false).ids()).isEmpty();

    assertThat(waiting.add(1, 2, 3, 9)).as("while the end goes on").isEqualTo(LocalRoot.FROZEN);
  }

  @Test
  void itself_childOrNeighbour_isNull() {
    Span root = start(Context.root());
    Span child = start(with(root));
    SpanContext context = root.getSpanContext();
    SpanContext ofOtherTrace =
        SpanContext.create(
            "ab".repeat(16), context.getSpanId(), context.getTraceFlags(), context.getTraceState());

    assertThat(localRoots.entryOf(context)).isSameAs(rootOf(root)).isNotNull();
    assertThat(localRoots.entryOf(child.getSpanContext())).isNull();
    assertThat(localRoots.entryOf(ofOtherTrace)).isNull();
  }

  @Test
  void root_unseenByAnySampler_isFoundByItsIds() {
    try (SdkTracerProvider bare =
        SdkTracerProvider.builder().addSpanProcessor(PlainTracker.of(localRoots)).build()) {
      Span root = bare.get("test").spanBuilder("root").setNoParent().startSpan();
      assertThat(rootOf(root)).isNull();
      assertThat(byIds(root)).isSameAs(localRoots.entryOf(root.getSpanContext())).isNotNull();
      root.end();
      assertThat(byIds(root)).isNull();
    }
  }

  @Test
  void rootThatIsNotSampled_acceptsNoSamples() {
    try (SdkTracerProvider recordOnly =
        SdkTracerProvider.builder()
            .setSampler(
                new LocalRootSampler(
                    new DecidingSampler(
                        (name, kind) -> SamplingResult.create(SamplingDecision.RECORD_ONLY)),
                    () -> true))
            .addSpanProcessor(PlainTracker.of(localRoots))
            .build()) {
      Span root = recordOnly.get("test").spanBuilder("root").setNoParent().startSpan();
      assertThat(rootOf(root).spanId()).isEqualTo(id(root));
      assertThat(rootOf(root).add(1, 1, 1, 9)).isEqualTo(LocalRoot.FROZEN);
      assertThat(byIds(root)).isNull();
    }
  }
}
