/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.protocol.MessageDecoder;
import io.flamespan.correlation.testing.RecordingHandler;
import io.flamespan.correlation.testing.RecordingMetricReader;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountsTest {
  @Test
  void metrics_withTheirAttributes_areOnTheirPage() throws Exception {
    String page = Files.readString(Path.of("docs/metrics.md"));
    RecordingMetricReader reader = new RecordingMetricReader();
    try (SdkMeterProvider meters =
        SdkMeterProvider.builder().registerMetricReader(reader).build()) {
      MessageDecoder messages = new MessageDecoder(new RecordingHandler());
      new Counts(messages, () -> 0, () -> 0, () -> 0, List.of()).register(meters, null);

      assertThat(reader.collect()).hasSizeGreaterThan(5);
      for (MetricData metric : reader.collect()) {
        assertThat(page).contains("- `" + metric.getName() + "`: ");
        for (LongPointData point : metric.getLongSumData().getPoints()) {
          point
              .getAttributes()
              .forEach(
                  (key, value) ->
                      assertThat(page).contains("`" + key + "` |", "`" + value + "` |"));
        }
      }
    }
  }
}
