/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LocalRootSpansTest {
  private final LocalRootSpans localRoots = new LocalRootSpans();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder()
          .addSpanProcessor(
              new LocalRootTracker(localRoots, () -> null, CompletableResultCode::ofSuccess))
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
    // As a propagator would: strings of its own.
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
    return localRoots.find(span.getSpanContext());
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
  void aLocalRootIsFoundByItsIdsAndItsChildrenAreNot() {
    Span root = start(Context.root());
    Span child = start(with(root));

    assertThat(byIds(root)).isSameAs(rootOf(root)).isSameAs(rootOf(child)).isNotNull();
    assertThat(byIds(child)).isNull();
  }

  @Test
  void rootsOfOneTraceAreFoundByTheirIds() {
    Span first = start(Context.root());
    Span second = start(remote(first));
    Span secondChild = start(with(second));

    assertThat(byIds(first).spanId()).isEqualTo(id(first));
    assertThat(byIds(second).spanId()).isEqualTo(id(second));
    assertThat(rootOf(secondChild)).isSameAs(rootOf(second)).isNotSameAs(rootOf(first));
  }

  @Test
  void anUnfinishedSpanCanBeCollected() {
    WeakReference<Span> root = new WeakReference<>(startUnfinishedTrace());
    await()
        .until(
            () -> {
              System.gc();
              return root.get() == null;
            });
  }

  @Test
  void tracesThatNeverEndAreForgottenWhenTheyAreUnreachable() {
    Span kept = start(with(start(Context.root())));
    int added = 0;
    for (int i = 0; i < 20; i++) {
      for (int n = 0; n < 5_000; n++) {
        startUnfinishedTrace();
        added++;
      }
      System.gc();
      assertThat(rootOf(kept)).isNotNull();
    }
    assertThat(localRoots.traceCount()).isLessThan(added / 2);
    assertThat(rootOf(start(with(kept)))).isSameAs(rootOf(kept));
  }

  private void startAndEndOthers() {
    for (int i = 0; i < 5_000; i++) {
      start(Context.root()).end();
    }
  }

  @Test
  void tracesThatHaveEndedAreForgottenSoon() {
    startAndEndOthers();
    assertThat(localRoots.traceCount()).isLessThanOrEqualTo(256);
  }

  @Test
  void aRootIsKnownUntilItsLastSpanHasEnded() {
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
  void workThatBeginsBelowARootThatIsLongOverFindsIt() {
    Span root = start(Context.root());
    root.end();
    startAndEndOthers();
    assertThat(rootOf(root)).isNull();
    assertThat(localRoots.find((ReadableSpan) root).spanId()).isEqualTo(id(root));

    Span late = start(with(root));
    Span other = start(with(late));
    assertThat(rootOf(late).spanId()).isEqualTo(id(root));
    assertThat(rootOf(other)).isSameAs(rootOf(late));
    assertThat(rootOf(late).add(1, 1, 1)).as("takes samples").isFalse();
    late.end();
    other.end();
    startAndEndOthers();
    assertThat(rootOf(other)).isNull();
  }

  @Test
  void workBelowAChildThatIsLongOverHasNoRootRatherThanAWrongOne() {
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
  void rootsBelowTheVerySameRemoteContextAreToldApart() {
    Context parent = remote(start(Context.root()));
    Span first = start(parent);
    Span second = start(parent);
    Span firstChild = start(with(first));
    Span secondChild = start(with(second));

    assertThat(rootOf(firstChild)).isSameAs(rootOf(first));
    assertThat(rootOf(secondChild)).isSameAs(rootOf(second)).isNotSameAs(rootOf(first));
    String traceId = first.getSpanContext().getTraceId();
    assertThat(rootOf(first).standsFor(traceId)).isFalse();
    assertThat(rootOf(second).standsFor(traceId)).isFalse();
    assertThat(byIds(second)).isSameAs(rootOf(second));
  }

  private Span startUnfinishedTrace() {
    Span root = start(Context.root());
    start(with(start(with(root))));
    return root;
  }

  @Test
  void aRootIsKnownAsLongAsAChildIsReachable() {
    Span grandchild = start(with(start(with(start(Context.root())))));
    for (int i = 0; i < 5; i++) {
      System.gc();
      assertThat(localRoots.traceCount()).isOne();
      assertThat(rootOf(grandchild)).isNotNull();
    }
    Span late = start(with(grandchild));
    assertThat(rootOf(late)).isSameAs(rootOf(grandchild));
  }

  @Test
  void aSecondRootIsKnownAfterTheFirstIsCollected() {
    Span second = start(remote(start(Context.root())));
    Span child = start(with(second));
    Span third = start(remote(second));
    for (int i = 0; i < 5; i++) {
      System.gc();
      assertThat(localRoots.traceCount()).isOne();
    }
    assertThat(rootOf(child).spanId()).isEqualTo(id(second));
    assertThat(rootOf(start(with(child))).spanId()).isEqualTo(id(second));
    assertThat(rootOf(third).spanId()).isEqualTo(id(third));
  }

  @Test
  void manyRootsBelowOneLongLivedRemoteParentAreCollected() {
    Context parent = remote(start(Context.root()));
    Span first = start(parent);
    for (int i = 0; i < 10_000; i++) {
      start(with(start(parent)));
    }
    List<Span> kept = new ArrayList<>();
    await()
        .until(
            () -> {
              System.gc();
              kept.add(start(parent)); // any start removes what was collected
              return localRoots.memberCount() <= 1 + kept.size();
            });
    assertThat(rootOf(first).spanId()).isEqualTo(id(first));
  }
}
