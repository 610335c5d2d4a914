/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalRootSpansTest {
  private static final int RECENT = 256 + 2 * 64 * 8; // in a map and two tables

  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder()
          .setSampler(Sampler.alwaysOn()) // also samples children of dropped spans
          .addSpanProcessor(
              new LocalRootTracker(localRoots, null, () -> null, CompletableResultCode::ofSuccess))
          .build();
  private final Tracer tracer = provider.get("test");

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
    // Like a propagator, uses new strings.
    return Context.root()
        .with(
            Span.wrap(
                SpanContext.createFromRemoteParent(
                    new StringBuilder(context.getTraceId()).toString(),
                    new StringBuilder(context.getSpanId()).toString(),
                    context.getTraceFlags(),
                    TraceState.getDefault())));
  }

  private LocalRoot rootOf(Span span) {
    if (!(span instanceof ReadableSpan)) {
      return null;
    }
    ReadableSpan recorded = (ReadableSpan) span;
    return LocalRootSpans.isLocalRoot(recorded)
        ? localRoots.itself(span.getSpanContext())
        : localRoots.find(recorded);
  }

  private static long id(Span span) {
    return Long.parseUnsignedLong(span.getSpanContext().getSpanId(), 16);
  }

  private LocalRoot byIds(Span root) {
    String traceId = root.getSpanContext().getTraceId();
    return localRoots.find(
        Long.parseUnsignedLong(traceId.substring(0, 16), 16),
        Long.parseUnsignedLong(traceId.substring(16), 16),
        id(root));
  }

  @Test
  void localRoot_byItsIds_isFoundAndItsChildrenAreNot() {
    Span root = start(Context.root());
    Span child = start(with(root));

    assertThat(byIds(root)).isSameAs(rootOf(root)).isSameAs(rootOf(child)).isNotNull();
    assertThat(byIds(child)).isNull();
  }

  @Test
  void roots_ofOneTrace_areFoundByTheirIds() {
    Span first = start(Context.root());
    Span second = start(remote(first));
    Span secondChild = start(with(second));

    assertThat(byIds(first).spanId()).isEqualTo(id(first));
    assertThat(byIds(second).spanId()).isEqualTo(id(second));
    assertThat(rootOf(secondChild)).isSameAs(rootOf(second)).isNotSameAs(rootOf(first));
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

  private void startAndEndOthers() {
    for (int i = 0; i < 5_000; i++) {
      Span first = start(Context.root());
      List<Span> ofItsTrace = new ArrayList<>(List.of(first));
      for (int n = 0; n < 4; n++) { // more than can be found by their trace id
        ofItsTrace.add(start(remote(first)));
      }
      ofItsTrace.forEach(Span::end);
    }
  }

  @Test
  void traces_ended_areForgottenSoon() {
    startAndEndOthers();
    assertThat(localRoots.size()).isLessThanOrEqualTo(RECENT);
  }

  @Test
  void root_untilItsLastSpanEnds_isKnown() {
    Span root = start(Context.root());
    Span child = start(with(root));
    root.end();
    startAndEndOthers();
    assertThat(rootOf(child).spanId()).isEqualTo(id(root));

    child.end();
    startAndEndOthers();
    assertThat(rootOf(child)).isNull();
  }

  @Test
  void lateChild_belowRootThatIsLongOver_findsIt() {
    Span root = start(Context.root());
    root.end();
    startAndEndOthers();
    assertThat(rootOf(root)).isNull();
    assertThat(localRoots.find((ReadableSpan) root).spanId()).isEqualTo(id(root));

    Span late = start(with(root));
    Span other = start(with(late));
    assertThat(rootOf(late).spanId()).isEqualTo(id(root));
    assertThat(rootOf(other)).isSameAs(rootOf(late));
    assertThat(rootOf(late).add(1, 1, 1, 9)).as("takes samples").isEqualTo(LocalRoot.FROZEN);
    late.end();
    other.end();
    startAndEndOthers();
    assertThat(rootOf(other)).isNull();
  }

  @Test
  void lateChild_belowChildThatIsLongOver_hasNoRoot() {
    Span root = start(Context.root());
    Span child = start(with(root));
    child.end();
    root.end();
    startAndEndOthers();
    Span sameTrace = start(remote(root));

    assertThat(rootOf(start(with(child)))).isNull();
    assertThat(rootOf(sameTrace).spanId()).isEqualTo(id(sameTrace));
  }

  @Test
  void roots_belowTheSameRemoteContext_areToldApart() {
    Context parent = remote(start(Context.root()));
    Span first = start(parent);
    Span second = start(parent);
    Span firstChild = start(with(first));
    Span secondChild = start(with(second));

    assertThat(rootOf(firstChild)).isSameAs(rootOf(first));
    assertThat(rootOf(secondChild)).isSameAs(rootOf(second)).isNotSameAs(rootOf(first));
    assertThat(byIds(second)).isSameAs(rootOf(second));
  }

  @Test
  void childThatWasCounted_ofAStringThatIsSharedThen_isLetGo() {
    Span root = start(Context.root());
    Span child = start(with(root));
    Span grandchild = start(with(child));
    SpanContext context = root.getSpanContext();
    Span sharing =
        start(
            Context.root()
                .with(
                    Span.wrap(
                        SpanContext.createFromRemoteParent(
                            context.getTraceId(), // the same string instance
                            context.getSpanId(),
                            context.getTraceFlags(),
                            TraceState.getDefault()))));
    Span childOfSharing = start(with(sharing));

    assertThat(rootOf(grandchild)).isSameAs(rootOf(root)).isNotNull();
    assertThat(rootOf(childOfSharing)).isSameAs(rootOf(sharing)).isNotSameAs(rootOf(root));
    List.of(grandchild, child, root, childOfSharing, sharing).forEach(Span::end);
    startAndEndOthers();
    assertThat(rootOf(root)).isNull();
    assertThat(rootOf(sharing)).isNull();
  }

  @Test
  void serverRoot_belowTheContextOfAnotherRoot_isNotTakenForIt() {
    Context received = remote(start(Context.root()));
    Span other = start(received);
    Span server =
        tracer.spanBuilder("server").setSpanKind(SpanKind.SERVER).setParent(received).startSpan();
    Span childOfOther = start(with(other));
    Span childOfServer = start(with(server));

    assertThat(rootOf(childOfOther)).isSameAs(rootOf(other)).isNotNull();
    assertThat(rootOf(childOfServer)).isSameAs(rootOf(server)).isNotSameAs(rootOf(other));
  }

  private Span startUnfinishedTrace() {
    Span root = start(Context.root());
    start(with(start(with(root))));
    return root;
  }

  @Test
  void root_whileAChildIsReachable_isKnown() {
    Span grandchild = start(with(start(with(start(Context.root())))));
    for (int i = 0; i < 5; i++) {
      System.gc();
      assertThat(rootOf(grandchild)).isNotNull();
    }
    Span late = start(with(grandchild));
    assertThat(rootOf(late)).isSameAs(rootOf(grandchild));
  }

  @Test
  void secondRoot_afterTheFirstIsCollected_isKnown() {
    Span second = start(remote(start(Context.root())));
    Span child = start(with(second));
    Span third = start(remote(second));
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    assertThat(rootOf(child).spanId()).isEqualTo(id(second));
    assertThat(rootOf(start(with(child))).spanId()).isEqualTo(id(second));
    assertThat(rootOf(third).spanId()).isEqualTo(id(third));
  }

  @Test
  void roots_manyBelowOneReceivedContext_areForgottenSoon() {
    Context parent = remote(start(Context.root()));
    Span first = start(parent);
    for (int i = 0; i < 10_000; i++) {
      Span root = start(parent);
      start(with(root)).end();
      root.end();
    }
    assertThat(localRoots.size()).isLessThanOrEqualTo(RECENT + 2);
    assertThat(rootOf(first).spanId()).isEqualTo(id(first));
  }

  @Test
  void itself_childOrNeighbour_isNull() {
    Span root = start(Context.root());
    Span child = start(with(root));
    Span neighbour = start(remote(root));

    assertThat(localRoots.itself(root.getSpanContext())).isSameAs(rootOf(root)).isNotNull();
    assertThat(localRoots.itself(child.getSpanContext())).isNull();
    assertThat(localRoots.itself(neighbour.getSpanContext()))
        .isSameAs(rootOf(neighbour))
        .isNotSameAs(rootOf(root));
    assertThat(localRoots.itself(otherTrace(root))).isNull();
  }

  /** Returns the context of another trace with the span id of this one. */
  private static SpanContext otherTrace(Span span) {
    SpanContext context = span.getSpanContext();
    return SpanContext.create(
        "ab".repeat(16), context.getSpanId(), context.getTraceFlags(), TraceState.getDefault());
  }

  @Test
  void isFrozen_afterFreezeAndWithoutSampling_isTrue() {
    LocalRoot root = rootOf(start(Context.root()));
    assertThat(root.isFrozen()).isFalse();
    root.add(1, 1, 1, 9);
    assertThat(root.isFrozen()).isFalse();
    root.freeze();
    assertThat(root.isFrozen()).isTrue();
    assertThat(LocalRoot.ofReleased(start(Context.root()).getSpanContext()).isFrozen()).isTrue();
  }

  @Test
  void rootThatWaits_manyOthersEnd_isFoundByItsIds() {
    Span root = start(Context.root());
    LocalRoot waiting = rootOf(root);
    root.end();
    localRoots.retain(waiting);
    startAndEndOthers();
    assertThat(byIds(root)).isSameAs(waiting);

    localRoots.release(waiting);
    startAndEndOthers();
    assertThat(byIds(root)).isNull();
  }

  @Test
  void lateChild_ofEndedChild_isOfTheRunningRoot() {
    Span root = start(remote(start(Context.root())));
    Span child = start(with(root));
    child.end();
    startAndEndOthers();

    assertThat(rootOf(start(with(child)))).isSameAs(rootOf(root)).isNotNull();
  }

  @Test
  void grandchild_belowDroppedChild_isOfTheRoot() {
    Span root = start(Context.root());
    Span unrelated = start(remote(root));
    Span dropped = dropped(root);

    assertThat(rootOf(start(with(dropped)))).isSameAs(rootOf(root)).isNotNull();
    assertThat(rootOf(start(with(dropped(dropped))))).isSameAs(rootOf(root));
    assertThat(rootOf(start(with(dropped(unrelated))))).isNotSameAs(rootOf(root));
  }

  @Test
  void grandchild_belowDroppedChildOfServer_isOfTheServer() {
    Span client = start(Context.root());
    Span first = server(remote(client));
    Span second = server(remote(client));

    assertThat(rootOf(start(with(dropped(second))))).isSameAs(rootOf(second)).isNotNull();
    second.end();
    startAndEndOthers();
    Span third = server(remote(client));
    assertThat(rootOf(start(with(dropped(third))))).isSameAs(rootOf(third)).isNotNull();
    assertThat(rootOf(start(with(dropped(first))))).isSameAs(rootOf(first)).isNotNull();
  }

  @Test
  void grandchild_belowDroppedOfSharedContext_isOfNone() {
    Context batch = remote(start(Context.root()));
    Span recorded = start(batch);
    Span dropped = dropped(Span.fromContext(batch));

    assertThat(rootOf(recorded)).isNotNull();
    assertThat(rootOf(start(with(dropped)))).isNull();

    Span first = server(batch);
    Span second = server(batch);
    assertThat(rootOf(start(with(dropped(first))))).isNull();
    assertThat(rootOf(start(with(dropped(second))))).isNull();
  }

  private Span server(Context parent) {
    return tracer.spanBuilder("server").setSpanKind(SpanKind.SERVER).setParent(parent).startSpan();
  }

  /** Returns what the SDK creates if the sampler drops: no span, but its context. */
  private static Span dropped(Span parent) {
    SpanContext context = parent.getSpanContext();
    return Span.wrap(
        SpanContext.create(
            context.getTraceId(),
            IdGenerator.random().generateSpanId(),
            TraceFlags.getDefault(),
            context.getTraceState()));
  }
}
