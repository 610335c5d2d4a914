/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import io.flamespan.correlation.internal.log.Shortened;
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
import org.jspecify.annotations.Nullable;

/**
 * Makes the decisions of another sampler, and gives each local root span a {@link
 * LocalRootTraceState}. Spans below inherit it, even through spans that the sampler drops.
 * Thread-safe. Throws what the other sampler throws.
 */
public final class LocalRootSampler implements Sampler {
  private static final SamplingResult DROPPED_ROOT =
      new ResultWithLocalRoot(SamplingResult.drop(), true, null);

  private static final int MAX_NAME_LENGTH = 128;

  // A sampler serves one plug-in after the other.
  private static volatile boolean keepsNames;

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

  /** Sets whether local root spans that are not sampled keep their names, from their start on. */
  public static void keepNames(boolean wanted) {
    keepsNames = wanted;
  }

  public static boolean keepsNames() {
    return keepsNames;
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
      return withLocalRoot(result, Span.fromContext(parentContext), name);
    } catch (Throwable e) {
      return result; // out of memory: the span does without a local root
    }
  }

  @SuppressWarnings("ReferenceEquality") // the SDK's results without attributes are constants
  private SamplingResult withLocalRoot(SamplingResult result, Span parent, String name) {
    boolean isRoot = LocalRootSpans.isLocalRootBelow(parent);
    if (isRoot && !isOn.getAsBoolean()) {
      return result;
    }
    String kept =
        isRoot && keepsNames && result.getDecision() != SamplingDecision.RECORD_AND_SAMPLE
            ? Shortened.to(MAX_NAME_LENGTH, name)
            : null;
    if (result == SamplingResult.drop() && kept == null) {
      return isRoot ? DROPPED_ROOT : result; // which passes on the state of the parent
    }
    return !isRoot
            && (result == SamplingResult.recordAndSample() || result == SamplingResult.recordOnly())
        ? result // likewise
        : new ResultWithLocalRoot(result, isRoot, kept);
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
    private final @Nullable String name; // null if it is not kept

    ResultWithLocalRoot(SamplingResult result, boolean isRoot, @Nullable String name) {
      this.result = result;
      this.isRoot = isRoot;
      this.name = name;
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
            ? LocalRootTraceState.ofDroppedRoot(updated, name)
            : LocalRootTraceState.ofNewRoot(updated, name);
      } catch (Throwable e) {
        return updated; // out of memory: the span does without a local root
      }
    }
  }
}
