/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import io.otelprofiling.correlation.internal.localroot.LocalRootTraceState;
import io.otelprofiling.correlation.scenarios.SampledTraces;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import io.otelprofiling.correlation.testing.DecidingSampler;
import io.otelprofiling.correlation.testing.ShownThreadContext;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Promise: a span finds its local root with any id generator, with samplers that change trace
 * states, and through any object with which a thread shows the span.
 */
class SpansFindTheirRootTest {
  @AutoClose private SampledTraces traces = new SampledTraces(CorrelatedSdk.start());

  private void restartWith(Sampler sampler) {
    traces.close();
    traces = new SampledTraces(CorrelatedSdk.startWith(sampler));
  }

  @Test
  void roots_whoseGeneratorReturnsOneString_haveTheirOwnSamples() {
    traces.close();
    traces =
        new SampledTraces(
            CorrelatedSdk.start(
                sdk ->
                    sdk.addTracerProviderCustomizer(
                        (provider, config) -> provider.setIdGenerator(new OneTraceId()))));
    Span first = traces.root(Context.root());
    Span second = traces.root(Context.root());
    Span ofFirst = traces.child(first);
    Span ofSecond = traces.child(second);
    assertThat(first.getSpanContext().getTraceId()).isSameAs(second.getSpanContext().getTraceId());
    for (int times = 0; times < 2; times++) {
      traces.sample(ofFirst, first);
      traces.sample(ofSecond, second);
      traces.sample(first, first);
      traces.sample(second, second);
    }
    ofSecond.end();
    traces.sample(first, first);
    traces.sample(ofFirst, first);
    second.end();
    traces.sample(ofFirst, first);
    ofFirst.end();
    first.end();
    traces.assertExportedWithOwnSamples();
  }

  @Test
  void child_outlivingARootOfItsReceivedContext_leavesALaterServerAlone() {
    Context received = SampledTraces.received();
    Span early = traces.root(received);
    Span child = traces.child(early);
    traces.sample(child, early);
    early.end();
    Span server = traces.server(received);
    traces.sample(child, early);
    traces.sample(server, server);
    Span ofServer = traces.child(server);
    child.end();
    traces.sample(ofServer, server);
    traces.sample(server, server);
    traces.assertExportedWithOwnSamplesOf(early);
    traces.sample(ofServer, server);
    ofServer.end();
    server.end();
    traces.assertExportedWithOwnSamples();
  }

  @Test
  void wrappedContext_ofALocalSpan_isShownLikeTheSpan() {
    Span root = traces.root(Context.root());
    Span child = traces.child(root);
    for (Span span : List.of(child, root)) {
      Span wrapped = Span.wrap(span.getSpanContext());
      traces.sample(wrapped, root);
      traces.sample(span, root);
      try (Scope scope = wrapped.makeCurrent()) {
        assertThat(ShownThreadContext.ofCurrentCarrier().shows(span)).isTrue();
        Span below = traces.child(Span.current());
        traces.sample(below, root);
        below.end();
        traces.sampleShown(wrapped, root);
      }
    }
    child.end();
    root.end();
    traces.assertExportedWithOwnSamples();
  }

  @Test
  void root_belowARemoteContextMadeInTheProcess_isItsOwnRoot() {
    Span sender = traces.root(Context.root());
    Span child = traces.child(sender);
    SpanContext sent = child.getSpanContext();
    SpanContext remote = SampledTraces.asRemote(sent);
    Span receiver = traces.root(Context.root().with(Span.wrap(remote)));
    Span ofReceiver = traces.child(receiver);
    assertThat(LocalRootTraceState.rootOf(receiver.getSpanContext()))
        .isNotNull()
        .isSameAs(LocalRootTraceState.rootOf(ofReceiver.getSpanContext()))
        .isNotSameAs(LocalRootTraceState.rootOf(sent));

    traces.sample(child, sender);
    traces.sample(ofReceiver, receiver);
    assertThat(traces.sample(Span.wrap(remote))).isEmpty();
    traces.sample(receiver, receiver);
    List.of(child, sender, ofReceiver, receiver).forEach(Span::end);
    traces.assertExportedWithOwnSamples();
  }

  @Test
  void span_belowAContextMadeOfIds_isItsOwnRoot() {
    for (TraceFlags flags : List.of(TraceFlags.getSampled(), TraceFlags.getDefault())) {
      restartWith(Sampler.alwaysOn());
      SpanContext made =
          SpanContext.create(
              SampledTraces.TRACE_ID, "b7ad6b7169203331", flags, TraceState.getDefault());
      Context parent = Context.root().with(Span.wrap(made));
      Span first = traces.root(parent);
      Span second = traces.root(parent);
      Span child = traces.child(first);
      for (int times = 0; times < 2; times++) {
        traces.sample(child, first);
        traces.sample(first, first);
        traces.sample(second, second);
        assertThat(traces.sample(Span.wrap(made))).isEmpty();
      }
      List.of(child, first).forEach(Span::end);
      assertThat(traces.app().received(first)).as("waits").isEmpty();
      traces.sampleBefore(first);
      second.end();
      traces.assertExportedWithOwnSamples();
    }
  }

  @Test
  void contextMadeOfAChangedTraceState_belongsToTheSameRoot() {
    Span root = traces.root(Context.root());
    SpanContext own = traces.child(root).getSpanContext();
    TraceState changed = own.getTraceState().toBuilder().put("vendor", "1").build();
    assertThat(changed.asMap()).containsOnly(Map.entry("vendor", "1"));
    Span made =
        Span.wrap(
            SpanContext.create(own.getTraceId(), own.getSpanId(), own.getTraceFlags(), changed));
    Span below = traces.child(made);
    traces.sample(made, root);
    traces.sample(below, root);
    List.of(below, root).forEach(Span::end);
    traces.assertExportedWithOwnSamples();
    traces.assertExportedWithoutSamples(List.of(below));
  }

  @Test
  void droppedReceiver_ofAStateHandedOver_showsNoTrace() {
    restartWith(DecidingSampler.dropping("dropped"));
    Span sender = traces.root(Context.root());
    Context remote =
        Context.root().with(Span.wrap(SampledTraces.asRemote(sender.getSpanContext())));
    Span dropped = traces.app().tracer().spanBuilder("dropped").setParent(remote).startSpan();
    assertThat(dropped.isRecording()).isFalse();
    Span below = traces.child(dropped);
    assertThat(below.isRecording()).isTrue();
    try (Scope scope = sender.makeCurrent()) {
      traces.sampleShown(sender, sender);
      assertThat(traces.sample(dropped)).isEmpty();
      assertThat(traces.sample(below)).isEmpty();
      traces.sampleShown(sender, sender);
    }
    List.of(below, sender).forEach(Span::end);
    traces.assertExportedWithOwnSamples();
    traces.assertExportedWithoutSamples(List.of(below));
  }

  @Test
  void samplers_thatChangeTraceStates_areObeyedAndChildrenFindTheirRoot() {
    restartWith(new CountingSampler());
    for (Context parent : List.of(Context.root(), SampledTraces.received())) {
      Span root = traces.root(parent);
      Span child = traces.child(root);
      Span replaced = traces.client(child);
      Span grandchild = traces.child(replaced);
      List<Span> spans = List.of(root, child, replaced, grandchild);
      for (int times = 0; times < 2; times++) {
        spans.forEach(span -> traces.sample(span, root));
      }
      assertThat(spans)
          .extracting(span -> span.getSpanContext().getTraceState().asMap())
          .containsExactly(
              Map.of("spans", "1"),
              Map.of("spans", "2"),
              Map.of("vendor", "opaque"),
              Map.of("vendor", "opaque", "spans", "1"));
      assertThat(spans)
          .extracting(span -> ((ReadableSpan) span).getAttribute(CountingSampler.SAMPLED))
          .containsOnly("yes");
      List.of(grandchild, replaced, child, root).forEach(Span::end);
      traces.assertExportedWithOwnSamples();
      assertThat(traces.app().awaitReceived(grandchild).span().getTraceState())
          .isEqualTo("spans=1,vendor=opaque");
    }
  }

  /** Returns the same object as every trace id. */
  private static final class OneTraceId implements IdGenerator {
    private final String traceId = IdGenerator.random().generateTraceId();

    @Override
    public String generateSpanId() {
      return IdGenerator.random().generateSpanId();
    }

    @Override
    public String generateTraceId() {
      return traceId;
    }
  }

  /** Counts the spans of a trace in its trace state, and starts a new count at each client span. */
  private static final class CountingSampler implements Sampler {
    static final AttributeKey<String> SAMPLED = AttributeKey.stringKey("sampled");

    @Override
    public SamplingResult shouldSample(
        Context parent,
        String traceId,
        String name,
        SpanKind kind,
        Attributes attributes,
        List<LinkData> links) {
      return new SamplingResult() {
        @Override
        public SamplingDecision getDecision() {
          return SamplingDecision.RECORD_AND_SAMPLE;
        }

        @Override
        public Attributes getAttributes() {
          return Attributes.of(SAMPLED, "yes");
        }

        @Override
        public TraceState getUpdatedTraceState(TraceState parentState) {
          String spans = parentState.get("spans");
          int number = spans == null ? 1 : 1 + Integer.parseInt(spans);
          return kind == SpanKind.CLIENT
              ? TraceState.builder().put("vendor", "opaque").build()
              : parentState.toBuilder().put("spans", "" + number).build();
        }
      };
    }

    @Override
    public String getDescription() {
      return "counting";
    }
  }
}
