/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the only assumption that local roots make about the SDK: the span gets the same trace state
 * object that the sampler returned, and so do its children, even through dropped spans and {@code
 * Span.wrap}. If this fails with a version of the SDK, its spans do not find their local root: see
 * "Which local root a span belongs to" in docs/internals/rationale.md.
 */
class SdkKeepsTraceStateTest {
  private final SdkTracerProvider plain =
      SdkTracerProvider.builder()
          .setSampler(new StateOfRoots())
          .addSpanProcessor(SimpleSpanProcessor.create(new RecordingSpanExporter()))
          .build();
  private final Tracer tracer = plain.get("test");

  @AfterEach
  void close() {
    plain.close();
  }

  private Span start(String name, Context parent) {
    return tracer.spanBuilder(name).setParent(parent).startSpan();
  }

  private static Context with(Span span) {
    return Context.root().with(span);
  }

  private static TraceState state(Span span) {
    return span.getSpanContext().getTraceState();
  }

  @Test
  void traceStateOfASampler_inAllSpansBelow_isTheSameObject() {
    Span root = start("root", Context.root());
    TraceState state = state(root);
    assertThat(state).as("a root has the object").isInstanceOf(LocalRootTraceState.class);

    Span child = start("child", with(root));
    Span dropped = start("dropped", with(child));
    assertThat(dropped.isRecording()).isFalse();
    Span belowDropped = start("below", with(dropped));
    assertThat(belowDropped.isRecording()).isTrue();
    Span belowWrapped = start("below", with(Span.wrap(belowDropped.getSpanContext())));
    try (Scope scope = belowWrapped.makeCurrent()) {
      Span implicit = tracer.spanBuilder("implicit").startSpan();
      Span late = start("late", with(root));
      List.of(implicit, belowWrapped, belowDropped, child, root).forEach(Span::end);

      assertThat(List.of(child, dropped, belowDropped, belowWrapped, implicit, late))
          .allSatisfy(span -> assertThat(state(span)).isSameAs(state));
      assertThat(state(start("after the end", with(child)))).isSameAs(state);
      assertThat(((ReadableSpan) child).toSpanData().getSpanContext().getTraceState())
          .isSameAs(state);
      assertThat(((ReadableSpan) child).getParentSpanContext().getTraceState()).isSameAs(state);
    }
    assertThat(state(start("root", Context.root()))).isNotSameAs(state);
  }

  /** Gives each root an object, keeps it in the spans below, and drops some of these. */
  private static final class StateOfRoots implements Sampler {
    @Override
    public SamplingResult shouldSample(
        Context parent,
        String traceId,
        String name,
        SpanKind kind,
        Attributes attributes,
        List<LinkData> links) {
      SpanContext above = Span.fromContext(parent).getSpanContext();
      if (above.isValid()) {
        return name.equals("dropped") ? SamplingResult.drop() : SamplingResult.recordAndSample();
      }
      return new SamplingResult() {
        @Override
        public SamplingDecision getDecision() {
          return SamplingDecision.RECORD_AND_SAMPLE;
        }

        @Override
        public Attributes getAttributes() {
          return Attributes.empty();
        }

        @Override
        public TraceState getUpdatedTraceState(TraceState parentState) {
          return LocalRootTraceState.ofNewRoot(parentState, null);
        }
      };
    }

    @Override
    public String getDescription() {
      return "StateOfRoots";
    }
  }
}
