/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import io.flamespan.elastic.internal.log.RecurringWarning;
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
 * Delegates to another sampler, and writes its rate into the trace state of each root span. The
 * rate is 0 if the root span is not sampled, so that its trace is not extrapolated.
 */
final class SampleRateSampler implements Sampler {
  private final RecurringWarning warning = new RecurringWarning(SampleRateSampler.class);
  private final Sampler delegate;
  private final String rate;

  SampleRateSampler(Sampler delegate, String rate) {
    this.delegate = delegate;
    this.rate = rate;
  }

  @Override
  public SamplingResult shouldSample(
      Context parentContext,
      String traceId,
      String name,
      SpanKind spanKind,
      Attributes attributes,
      List<LinkData> parentLinks) {
    SamplingResult result =
        delegate.shouldSample(parentContext, traceId, name, spanKind, attributes, parentLinks);
    try {
      return isRoot(parentContext) ? withRate(result) : result;
    } catch (Throwable e) {
      warning.log("The sample rate of a trace is missing", e);
      return result;
    }
  }

  private static boolean isRoot(Context parentContext) {
    return !Span.fromContext(parentContext).getSpanContext().isValid();
  }

  private SamplingResult withRate(SamplingResult result) {
    boolean sampled = result.getDecision() == SamplingDecision.RECORD_AND_SAMPLE;
    return new ResultWithRate(result, sampled ? rate : SampleRate.NOT_SAMPLED);
  }

  @Override
  public String getDescription() {
    return "SampleRateSampler{" + delegate.getDescription() + ",rate=" + rate + "}";
  }

  @Override
  public CompletableResultCode shutdown() {
    return delegate.shutdown();
  }

  @Override
  public void close() {
    delegate.close();
  }

  @Override
  public String toString() {
    return getDescription();
  }

  private final class ResultWithRate implements SamplingResult {
    private final SamplingResult result;
    private final String written;

    ResultWithRate(SamplingResult result, String written) {
      this.result = result;
      this.written = written;
    }

    @Override
    public SamplingDecision getDecision() {
      return result.getDecision();
    }

    @Override
    public Attributes getAttributes() {
      return result.getAttributes();
    }

    @Override
    public TraceState getUpdatedTraceState(TraceState parentTraceState) {
      TraceState updated = result.getUpdatedTraceState(parentTraceState);
      try {
        return SampleRateEntry.write(updated, written);
      } catch (Throwable e) {
        warning.log("The sample rate of a trace is missing", e);
        return updated;
      }
    }
  }
}
