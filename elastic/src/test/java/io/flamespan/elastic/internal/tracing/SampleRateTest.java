/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SampleRateTest {
  private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "0.1, 0.1",
    "0.10, 0.1",
    "0.00001, 0.0001",
    "0.00004, 0.0001",
    "1e-300, 0.0001",
    "0.00015, 0.0002",
    "0.55554, 0.5555",
    "0.55555, 0.5556",
    "0.55556, 0.5556",
    "0.99994, 0.9999",
    "0.99995, 1",
  })
  void text_isRoundedHalfAwayFromZero_toFourPlaces(double rate, String text) {
    assertThat(SampleRate.text(rate)).isEqualTo(text);
  }

  @ParameterizedTest
  @EnumSource(SamplingDecision.class)
  void root_ofEachDecision_hasItsRate(SamplingDecision decision) {
    SamplingResult result = sample(Context.root(), SamplingResult.create(decision));

    String rate = decision == SamplingDecision.RECORD_AND_SAMPLE ? "s:0.5" : "s:0";
    assertThat(result.getDecision()).isEqualTo(decision);
    assertThat(result.getUpdatedTraceState(TraceState.getDefault()).asMap())
        .containsOnly(java.util.Map.entry("es", rate));
  }

  @Test
  void root_attributesAndTraceStateOfTheSampler_areKept() {
    Attributes attributes = Attributes.builder().put("a", "b").build();
    SamplingResult theirs =
        new SamplingResult() {
          @Override
          public SamplingDecision getDecision() {
            return SamplingDecision.RECORD_AND_SAMPLE;
          }

          @Override
          public Attributes getAttributes() {
            return attributes;
          }

          @Override
          public TraceState getUpdatedTraceState(TraceState parentTraceState) {
            return parentTraceState.toBuilder().put("ot", "th:8").build();
          }
        };

    SamplingResult result = sample(Context.root(), theirs);

    assertThat(result.getAttributes()).isEqualTo(attributes);
    assertThat(result.getUpdatedTraceState(TraceState.getDefault()).asMap())
        .containsEntry("ot", "th:8")
        .containsEntry("es", "s:0.5");
  }

  @Test
  void child_ofAnySpan_hasTheResultOfTheSampler() {
    SamplingResult theirs = SamplingResult.recordAndSample();
    Context local =
        Context.root()
            .with(
                Span.wrap(
                    SpanContext.create(
                        TRACE_ID,
                        "00f067aa0ba902b7",
                        TraceFlags.getSampled(),
                        TraceState.getDefault())));

    assertThat(sample(local, theirs)).isSameAs(theirs);
  }

  private static SamplingResult sample(Context parent, SamplingResult theirs) {
    Sampler sampler =
        new Sampler() {
          @Override
          public SamplingResult shouldSample(
              Context parentContext,
              String traceId,
              String name,
              SpanKind spanKind,
              Attributes attributes,
              List<LinkData> parentLinks) {
            return theirs;
          }

          @Override
          public String getDescription() {
            return "theirs";
          }
        };
    return new SampleRateSampler(sampler, "0.5")
        .shouldSample(parent, TRACE_ID, "root", SpanKind.SERVER, Attributes.empty(), List.of());
  }
}
