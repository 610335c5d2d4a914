/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.List;

/** Decides for spans with certain names, and leaves all others to the SDK's sampler. */
final class SamplerByName implements Sampler {
  static final String SAMPLED = "sampled-by-name";
  static final String DROPPED = "dropped-by-name";
  static final String RECORDED_ONLY = "recorded-by-name";

  private final Sampler others;

  SamplerByName(Sampler others) {
    this.others = others;
  }

  @Override
  public SamplingResult shouldSample(
      Context parentContext,
      String traceId,
      String name,
      SpanKind spanKind,
      Attributes attributes,
      List<LinkData> parentLinks) {
    return switch (name) {
      case SAMPLED -> SamplingResult.recordAndSample();
      case DROPPED -> SamplingResult.drop();
      case RECORDED_ONLY -> SamplingResult.recordOnly();
      default ->
          others.shouldSample(parentContext, traceId, name, spanKind, attributes, parentLinks);
    };
  }

  @Override
  public String getDescription() {
    return "SamplerByName{" + others.getDescription() + "}";
  }
}
