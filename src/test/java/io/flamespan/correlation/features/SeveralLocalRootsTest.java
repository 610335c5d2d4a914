/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.scenarios.SampledTraces;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecidingSampler;
import io.flamespan.correlation.testing.ThreadKind;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Promise: each local root span is exported with the stack traces of the spans below it, no matter
 * how many local roots of one trace this process has, how long they live, and where they are
 * current.
 */
class SeveralLocalRootsTest {
  private static final Sampler NO_CLIENTS =
      new DecidingSampler(
          (name, kind) ->
              kind == SpanKind.CLIENT ? SamplingResult.drop() : SamplingResult.recordAndSample());

  @AutoClose private SampledTraces traces;

  @BeforeEach
  void start() {
    traces = new SampledTraces(CorrelatedSdk.start());
  }

  @Test
  void service_callingItself_hasSamplesOnEachRoot() {
    List<Span> roots = new ArrayList<>();
    serve(SampledTraces.received(), 5, roots);

    assertThat(roots)
        .hasSize(5)
        .extracting(root -> root.getSpanContext().getTraceId())
        .containsOnly(SampledTraces.TRACE_ID);
    traces.assertExportedWithOwnSamples();
  }

  private void serve(Context request, int calls, List<Span> roots) {
    Span root = traces.root(request);
    roots.add(root);
    try (Scope scope = request.with(root).makeCurrent()) {
      traces.sampleShown(root, root);
      Span client = traces.child(root);
      try (Scope clientScope = client.makeCurrent()) {
        traces.sampleShown(client, root);
        if (calls > 1) {
          serve(SampledTraces.sentAndReceived(Context.current()), calls - 1, roots);
        }
        traces.sampleShown(client, root);
      }
      client.end();
      traces.sampleShown(root, root);
    }
    root.end();
  }

  @Test
  void forgottenRoot_current_isNotMistakenForItsSiblings() {
    Context batch = SampledTraces.received();
    Span first = traces.root(batch);
    traces.sample(first, first);
    traces.endAndForget(first);
    Span second = traces.root(batch);
    try (Scope leftOver = first.makeCurrent()) {
      SampledTraces.assertShowsItOrNoTrace(first, first);
      Span third = traces.root(batch);
      traces.sample(third, third);
      traces.sample(second, second);
      third.end();
    }
    second.end();
    traces.assertExportedWithOwnSamples();
  }

  @Test
  void waitingRoot_childrenStillRunning_getsTheirSamples() {
    Span root = traces.root(Context.root());
    Span child = traces.child(root);
    Span late;
    try (Scope scope = root.makeCurrent();
        Scope childScope = child.makeCurrent()) {
      traces.sampleShown(child, root);
      root.end();
      traces.sampleShown(child, root);
      late = traces.child(child);
      traces.sample(late, root);
      late.end();
      traces.sampleShown(child, root);
    }
    traces.sampleBefore(root);
    traces.assertExportedWithOwnSamples();
    child.end();
    traces.assertExportedWithoutSamples(List.of(child, late));
  }

  @Test
  void children_ofExportedRoot_showItAndLoseTheirSamples() {
    Span root = traces.root(Context.root());
    Span child = traces.child(root);
    traces.sample(child, root);
    root.end();
    traces.assertExportedWithOwnSamples();

    Span late = traces.child(child);
    for (Span span : List.of(child, late, root)) {
      assertIsShownAndSampled(span, root);
    }
    traces.expectNoMore(root);
    traces.endAndForget(traces.root(Context.root()));
    Span later = traces.child(root);
    for (Span span : List.of(child, late, later, root)) {
      assertIsShownAndSampled(span, root);
    }
    List<Span> children = List.of(child, late, later);
    children.forEach(Span::end);
    traces.assertExportedWithoutSamples(children);
    assertThat(traces.app().received(root)).hasSize(1);
    assertThat(traces.app().receivedStackTraceIds(root)).hasSize(1);
  }

  /** Samples a shown span whose local root was already exported. The sample is dropped. */
  private void assertIsShownAndSampled(Span span, Span localRoot) {
    try (Scope scope = Context.root().with(span).makeCurrent()) {
      SampledTraces.assertShows(span, localRoot);
      assertThat(traces.sample()).isPresent();
    }
  }

  @ParameterizedTest(name = "{0} threads")
  @EnumSource(ThreadKind.class)
  void span_currentOnSeveralThreads_hasTheSamplesOfAll(ThreadKind kind) throws Exception {
    int threads = 6;
    Span root = traces.root(Context.root());
    Span child = traces.child(root);
    kind.run(() -> root.makeCurrent().close()); // the first trace starts the tracking of carriers
    CyclicBarrier together = new CyclicBarrier(threads);
    kind.runAll(
        threads,
        () -> {
          Span span = together.await(60, TimeUnit.SECONDS) % 2 == 0 ? root : child;
          for (int times = 0; times < 5; times++) {
            try (Scope scope = span.makeCurrent()) {
              together.await(60, TimeUnit.SECONDS);
              traces.sampleShown(span, root);
              together.await(60, TimeUnit.SECONDS);
            }
            assertThat(traces.sample()).isEmpty();
          }
        });
    child.end();
    root.end();
    traces.assertExportedWithOwnSamples();
    assertThat(traces.app().receivedStackTraceIds(root)).hasSize(5 * threads);
  }

  @Test
  void recordedChild_ofDroppedRoot_doesNotBelongToItsSibling() {
    traces.close();
    traces = new SampledTraces(CorrelatedSdk.startWith(NO_CLIENTS));
    Context batch = SampledTraces.received();
    Span recorded = traces.root(batch);
    Span dropped = traces.client(batch);
    assertThat(dropped.isRecording()).isFalse();
    Span child = traces.child(dropped);
    assertThat(child.isRecording()).isTrue();

    traces.sample(recorded, recorded);
    assertThat(traces.sample(dropped)).isEmpty();
    assertThat(traces.sample(child)).isEmpty();
    child.end();
    recorded.end();
    traces.assertExportedWithOwnSamples();
  }

  @Test
  void droppedSpan_belowRecordedRoot_hasItsSamplesOnTheRoot() {
    traces.close();
    traces = new SampledTraces(CorrelatedSdk.startWith(NO_CLIENTS));
    Span here = traces.root(Context.root());
    Span server = traces.server(SampledTraces.sentAndReceived(Context.root().with(here)));
    for (Span root : List.of(here, server)) {
      Span dropped = traces.client(Context.root().with(root));
      assertThat(dropped.isRecording()).isFalse();
      Span child = traces.child(dropped);
      Span droppedToo = traces.client(Context.root().with(dropped));
      try (Scope scope = root.makeCurrent()) {
        for (int times = 0; times < 2; times++) {
          traces.sample(child, root);
          traces.sample(dropped, root);
          traces.sample(droppedToo, root);
          traces.sampleShown(root, root);
        }
      }
      traces.sample(dropped, root);
      child.end();
    }
    here.end();
    server.end();
    traces.assertExportedWithOwnSamples();
  }
}
