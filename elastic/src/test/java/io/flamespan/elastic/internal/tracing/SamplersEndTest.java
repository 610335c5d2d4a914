/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.io.Closeable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: a sampler that ours wrap or replace is shut down with the SDK. */
class SamplersEndTest {
  private final AtomicInteger shutdowns = new AtomicInteger();
  private final AtomicInteger closes = new AtomicInteger();

  @ParameterizedTest
  @ValueSource(
      strings = {ElasticSettings.SAMPLE_RATE_ENABLED, ElasticSettings.CONTEXT_PROPAGATION_ONLY})
  void sampler_ofAnSdkThatShutsDown_isShutDownOnce(String setting) {
    assumeTrue(
        Arrays.asList(Sampler.class.getInterfaces()).contains(Closeable.class),
        "this SDK does not shut samplers down");
    Map<String, String> properties =
        Map.of(
            setting,
            "true",
            "otel.traces.exporter",
            "logging",
            "otel.metrics.exporter",
            "none",
            "otel.logs.exporter",
            "none");
    CompletableResultCode shutdown =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .addPropertiesSupplier(() -> properties)
            .addSamplerCustomizer((sampler, config) -> new Ending())
            .build()
            .getOpenTelemetrySdk()
            .shutdown();

    assertThat(shutdown.join(1, TimeUnit.MINUTES).isSuccess()).isTrue();
    assertThat(shutdowns).hasValue(1);
  }

  @Test
  void close_ofTheSampleRate_closesTheSampler() {
    assumeTrue(
        Arrays.asList(Sampler.class.getInterfaces()).contains(Closeable.class),
        "this SDK does not shut samplers down");

    new SampleRateSampler(new Ending(), "1").close();

    assertThat(closes).hasValue(1);
  }

  /** Has the name of a sampler whose rate is known. */
  private final class Ending implements Sampler {
    @Override
    public SamplingResult shouldSample(
        Context parent,
        String traceId,
        String name,
        SpanKind kind,
        Attributes attributes,
        List<LinkData> links) {
      return SamplingResult.drop();
    }

    @Override
    public String getDescription() {
      return Sampler.alwaysOff().getDescription();
    }

    @Override
    public CompletableResultCode shutdown() {
      shutdowns.incrementAndGet();
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public void close() {
      closes.incrementAndGet();
    }
  }
}
