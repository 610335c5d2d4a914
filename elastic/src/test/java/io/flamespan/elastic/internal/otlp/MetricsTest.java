/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.elastic.internal.settings.ElasticSettings;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.metrics.OtlpGrpcMetricExporter;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.export.AggregationTemporalitySelector;
import io.opentelemetry.sdk.metrics.export.DefaultAggregationSelector;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promise: metrics are collected as the user has configured, whatever sends them. */
class MetricsTest {
  private static final AggregationTemporalitySelector DELTA =
      AggregationTemporalitySelector.deltaPreferred();
  private static final DefaultAggregationSelector EXPONENTIAL =
      DefaultAggregationSelector.getDefault()
          .with(InstrumentType.HISTOGRAM, Aggregation.base2ExponentialBucketHistogram());

  @ParameterizedTest
  @CsvSource({
    ElasticSettings.USER_AGENT_ENABLED + ", true",
    ElasticSettings.DISABLE_SEND + ", true",
    ElasticSettings.ENDPOINTS + ", http://127.0.0.2:1",
  })
  void preferences_withAnySetting_stay(String property, String value) {
    MetricExporter[] originals = {
      OtlpHttpMetricExporter.builder()
          .setAggregationTemporalitySelector(DELTA)
          .setDefaultAggregationSelector(EXPONENTIAL)
          .build(),
      OtlpGrpcMetricExporter.builder()
          .setAggregationTemporalitySelector(DELTA)
          .setDefaultAggregationSelector(EXPONENTIAL)
          .build()
    };
    ConfigProperties properties = DefaultConfigProperties.createFromMap(Map.of(property, value));
    OtlpConfig config = OtlpConfig.read(properties, Resource.getDefault());
    for (MetricExporter original : originals) {
      try (MetricExporter customized =
          new ExporterCustomizer<>(new Metrics()).apply(original, config, properties)) {
        assertThat(customized).isNotSameAs(original);
        assertThat(customized.getAggregationTemporality(InstrumentType.COUNTER))
            .isEqualTo(AggregationTemporality.DELTA);
        assertThat(customized.getDefaultAggregation(InstrumentType.HISTOGRAM))
            .isEqualTo(EXPONENTIAL.getDefaultAggregation(InstrumentType.HISTOGRAM));
        assertThat(customized.getMemoryMode()).isEqualTo(original.getMemoryMode());
      }
    }
  }
}
