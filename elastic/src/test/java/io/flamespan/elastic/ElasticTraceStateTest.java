/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticTraceStateTest {
  @ParameterizedTest
  @CsvSource({
    "s:0.1, 0.1",
    "s:1, 1",
    "s:1.0, 1",
    "s:0, 0",
    "s:1.0E-4, 0.0001",
    "k:v;s:0.25, 0.25",
    "s:0.25;k:v, 0.25",
    "s:0.25;s:0.5, 0.25",
    ";s:0.25;, 0.25",
  })
  void sampleRate_ofAgents_isRead(String entry, double rate) {
    assertThat(ElasticTraceState.sampleRate(span(entry))).hasValue(rate);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s:",
        "s",
        "s:x",
        "s:NaN",
        "s:1.1",
        "s:-0.1",
        "s:-0.0",
        "s:-0",
        "s:1d",
        "s:0x1p-1",
        "s: 0.1",
        "s:1e999",
        "s:.",
        "t:0.1",
        "ss:0.1",
        "k:s:0.1",
        ";"
      })
  void sampleRate_invalid_isEmpty(String entry) {
    assertThat(ElasticTraceState.sampleRate(span(entry))).isEmpty();
  }

  @Test
  void sampleRate_withoutEntry_isEmpty() {
    assertThat(ElasticTraceState.sampleRate(SpanContext.getInvalid())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20_261_123})
  void sampleRate_ofRandomText_isARateOrEmpty(long seed) {
    Random random = new Random(seed);
    int found = 0;
    for (int i = 0; i < 50_000; i++) {
      StringBuilder entry = new StringBuilder(random.nextInt(3) == 0 ? "" : "s:0");
      for (int length = random.nextInt(12); length > 0; length--) {
        entry.append("s:;.0123456789eE+-aNd".charAt(random.nextInt(21)));
      }
      OptionalDouble rate = ElasticTraceState.sampleRate(span(entry.toString()));
      if (rate.isPresent()) {
        assertThat(rate.getAsDouble()).isBetween(0.0, 1.0);
        found++;
      }
    }
    assertThat(found).isGreaterThan(1_000);
  }

  private static SpanContext span(String entry) {
    return SpanContext.createFromRemoteParent(
        "4bf92f3577b34da6a3ce929d0e0e4736",
        "00f067aa0ba902b7",
        TraceFlags.getSampled(),
        TraceState.builder().put("es", entry).put("other", "s:0.9").build());
  }
}
