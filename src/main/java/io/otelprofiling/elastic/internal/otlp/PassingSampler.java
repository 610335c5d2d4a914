/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

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
 * Takes no span, and remembers in each whether the trace came sampled. Ends with the SDK the
 * sampler that it replaces. Thread-safe.
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

  /** Returns what the SDK's sampler says that takes no span either, as its rate is the same. */
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
        return parentTraceState; // Memory is exhausted; the trace goes on not sampled.
      }
    }
  }
}
