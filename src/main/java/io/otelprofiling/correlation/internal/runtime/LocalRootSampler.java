/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import io.otelprofiling.correlation.internal.localroot.LocalRootTraceState;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Makes the decisions of another sampler, and gives each recorded local root span a {@link
 * LocalRootTraceState}. Spans below inherit it, even through spans that the sampler drops.
 * Thread-safe. Throws what the other sampler throws.
 */
public final class LocalRootSampler implements Sampler {
  private final Sampler delegate;
  private final BooleanSupplier isOn;

  /**
   * Wraps a sampler.
   *
   * @param isOn returns whether a plug-in runs; called for each recorded local root span
   */
  public LocalRootSampler(Sampler delegate, BooleanSupplier isOn) {
    this.delegate = delegate;
    this.isOn = isOn;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the SDK's results without attributes are constants
  public SamplingResult shouldSample(
      Context parentContext,
      String traceId,
      String name,
      SpanKind spanKind,
      Attributes attributes,
      List<LinkData> parentLinks) {
    SamplingResult result =
        delegate.shouldSample(parentContext, traceId, name, spanKind, attributes, parentLinks);
    if (result == SamplingResult.drop()) {
      return result; // passes on the state of the parent, as do the other constants
    }
    try {
      return withLocalRoot(result, Span.fromContext(parentContext).getSpanContext());
    } catch (Throwable e) {
      return result; // out of memory: the span does without a local root
    }
  }

  @SuppressWarnings("ReferenceEquality") // the SDK's results without attributes are constants
  private SamplingResult withLocalRoot(SamplingResult result, SpanContext parent) {
    if (parent.isValid() && !parent.isRemote()) {
      return result == SamplingResult.recordAndSample() || result == SamplingResult.recordOnly()
          ? result
          : new ResultWithLocalRoot(result, false);
    }
    return result.getDecision() != SamplingDecision.DROP && isOn.getAsBoolean()
        ? new ResultWithLocalRoot(result, true)
        : result;
  }

  @Override
  public String getDescription() {
    return delegate.getDescription();
  }

  @Override
  public CompletableResultCode shutdown() {
    return delegate.shutdown();
  }

  @Override
  public String toString() {
    return "LocalRootSampler{" + delegate + "}";
  }

  private static final class ResultWithLocalRoot implements SamplingResult {
    private final SamplingResult result;
    private final boolean isNew;

    ResultWithLocalRoot(SamplingResult result, boolean isNew) {
      this.result = result;
      this.isNew = isNew;
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
    public TraceState getUpdatedTraceState(TraceState parentState) {
      TraceState updated = result.getUpdatedTraceState(parentState);
      try {
        LocalRoot root = isNew ? new LocalRoot() : LocalRootTraceState.rootOf(parentState);
        return root == null || LocalRootTraceState.rootOf(updated) == root
            ? updated
            : new LocalRootTraceState(updated, root);
      } catch (Throwable e) {
        return updated; // out of memory: the span does without a local root
      }
    }
  }
}
