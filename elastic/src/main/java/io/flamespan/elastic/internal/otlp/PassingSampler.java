/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.List;

/**
 * Drops all spans, but remembers in each whether the incoming trace was sampled. Shuts down the
 * sampler that it replaces together with the SDK. Thread-safe.
 */
final class PassingSampler implements Sampler {
  private static final SamplingResult SAMPLED_BY_CALLER = new Marking();

  private final Sampler replaced;

  PassingSampler(Sampler replaced) {
    this.replaced = replaced;
  }

  @Override
  public SamplingResult shouldSample(
      Context parentContext,
      String traceId,
      String name,
      SpanKind spanKind,
      Attributes attributes,
      List<LinkData> parentLinks) {
    return SampledByCaller.isSampled(Span.fromContext(parentContext).getSpanContext())
        ? SAMPLED_BY_CALLER
        : SamplingResult.drop();
  }

  /** Returns the description of the SDK's always_off sampler, which has the same sample rate. */
  @Override
  public String getDescription() {
    return Sampler.alwaysOff().getDescription();
  }

  @Override
  public CompletableResultCode shutdown() {
    return replaced.shutdown();
  }

  @Override
  public void close() {
    replaced.close();
  }

  @Override
  public String toString() {
    return "PassingSampler";
  }

  private static final class Marking implements SamplingResult {
    @Override
    public SamplingDecision getDecision() {
      return SamplingDecision.DROP;
    }

    @Override
    public Attributes getAttributes() {
      return Attributes.empty();
    }

    @Override
    public TraceState getUpdatedTraceState(TraceState parentTraceState) {
      try {
        return SampledByCaller.mark(parentTraceState);
      } catch (Throwable e) {
        return parentTraceState; // Out of memory. The trace continues, but not sampled.
      }
    }
  }
}
