/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.List;
import java.util.function.BiFunction;

/** A sampler that decides by name and kind of a span. */
public record DecidingSampler(BiFunction<String, SpanKind, SamplingResult> decision)
    implements Sampler {
  /** Returns a sampler that drops the spans of this name, and samples all others. */
  public static Sampler dropping(String dropped) {
    return new DecidingSampler(
        (name, kind) ->
            name.equals(dropped) ? SamplingResult.drop() : SamplingResult.recordAndSample());
  }

  @Override
  public SamplingResult shouldSample(
      Context parent,
      String traceId,
      String name,
      SpanKind kind,
      Attributes attributes,
      List<LinkData> links) {
    return decision.apply(name, kind);
  }

  @Override
  public String getDescription() {
    return "DecidingSampler";
  }
}
