/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

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
import java.util.function.BooleanSupplier;

/**
 * Makes the decisions of another sampler, and gives each local root span a {@link
 * LocalRootTraceState}. Spans below inherit it, even through spans that the sampler drops.
 * Thread-safe. Throws what the other sampler throws.
 */
public final class LocalRootSampler implements Sampler {
  private static final SamplingResult DROPPED_ROOT =
      new ResultWithLocalRoot(SamplingResult.drop(), true);

  private final Sampler delegate;
  private final BooleanSupplier isOn;

  /**
   * Wraps a sampler.
   *
   * @param isOn returns whether a plug-in runs; called for each local root span
   */
  public LocalRootSampler(Sampler delegate, BooleanSupplier isOn) {
    this.delegate = delegate;
    this.isOn = isOn;
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
      return withLocalRoot(result, Span.fromContext(parentContext));
    } catch (Throwable e) {
      return result; // out of memory: the span does without a local root
    }
  }

  @SuppressWarnings("ReferenceEquality") // the SDK's results without attributes are constants
  private SamplingResult withLocalRoot(SamplingResult result, Span parent) {
    boolean isRoot = LocalRootSpans.isLocalRootBelow(parent);
    if (isRoot && !isOn.getAsBoolean()) {
      return result;
    }
    if (result == SamplingResult.drop()) {
      return isRoot ? DROPPED_ROOT : result; // which passes on the state of the parent
    }
    return !isRoot
            && (result == SamplingResult.recordAndSample() || result == SamplingResult.recordOnly())
        ? result // likewise
        : new ResultWithLocalRoot(result, isRoot);
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
    private final boolean isRoot;

    ResultWithLocalRoot(SamplingResult result, boolean isRoot) {
      this.result = result;
      this.isRoot = isRoot;
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
        if (!isRoot) {
          return LocalRootTraceState.below(parentState, updated);
        }
        return result.getDecision() == SamplingDecision.DROP
            ? LocalRootTraceState.ofDroppedRoot(updated)
            : LocalRootTraceState.ofNewRoot(updated);
      } catch (Throwable e) {
        return updated; // out of memory: the span does without a local root
      }
    }
  }
}
