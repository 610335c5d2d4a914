/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.LogCapturer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A mistyped setting is reported once, with the name that was probably meant. */
class UnknownSettingsTest {
  private static final String PREFIX = "elastic.otel.universal.profiling.integration.";

  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  @ParameterizedTest
  @CsvSource({
    "integration.enable, integration.enabled",
    "integration.buffersize, integration.buffer.size",
    "integration.socket.directory, integration.socket.dir",
    "integration.socket_dir, integration.socket.dir",
    "Integration.Thread.Context.Attribute, integration.thread.context.attributes",
    "integrations.enabled, integration.enabled",
    "enabled, integration.enabled",
    "integration, integration.enabled",
    "integration.embedded.profiler.directry, integration.embedded.profiler.directory",
    "integration.thread.context, integration.thread.context.enabled"
  })
  void name_mistyped_isReportedOnceWithTheNearest(String mistyped, String nearest) {
    String family = "elastic.otel.universal.profiling.";
    System.setProperty(family + mistyped, "x");
    try {
      CorrelationConfig.read(name -> null, null);
      CorrelationConfig.read(name -> null, null);
    } finally {
      System.clearProperty(family + mistyped);
    }

    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(family + mistyped + " has no effect", "Did you mean " + family + nearest + "?");
  }

  @Test
  void shortName_mistyped_isReportedWithTheNearest() {
    CorrelationConfig.reportUnknown(List.of("flamespan.buffersize"));

    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains("flamespan.buffersize has no effect", "Did you mean flamespan.buffer.size?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"colour.of.the.flames", "status"})
  void name_unlikeAnyOther_isReportedWithoutAGuess(String name) {
    CorrelationConfig.reportUnknown(List.of(PREFIX + name));

    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(name + " has no effect")
        .doesNotContain("Did you mean");
  }

  /** The SDK accepts it, but not every application has its properties read by an SDK. */
  @ParameterizedTest
  @CsvSource({
    "flamespan.socket-dir, flamespan.socket.dir",
    "FLAMESPAN.SOCKET.DIR, flamespan.socket.dir"
  })
  void name_inASpellingThatNobodyReads_isReported(String name, String right) {
    System.setProperty(name, "/");
    try {
      CorrelationConfig.read(property -> null, null);
      assertThat(logs.warnings()).isEmpty();

      CorrelationConfig.read(property -> null, "code", Set.of(), null);
    } finally {
      System.clearProperty(name);
    }

    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(name + " has no effect", "Did you mean " + right + "?");
  }

  @Test
  void name_likeThatOfTheStatus_isReportedWithoutAGuess() {
    CorrelationConfig.reportUnknown(List.of("flamespan.stats", "flamespan.status"));

    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains("stats has no effect")
        .doesNotContain("Did you mean");
  }

  @Test
  void names_ofTheArtifactForJUnit_areKnown() {
    CorrelationConfig.reportUnknown(
        List.of("flamespan.junit.enabled", "flamespan.junit.directory", "flamespan.junit.enable"));

    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains("junit.enable has", "Did you mean flamespan.junit.enabled?");
  }

  @Test
  void names_ofOthers_areNotReported() {
    CorrelationConfig.reportUnknown(
        List.of(
            "elastic.otel.inferred.spans.enabled",
            "elastic.otel.verify.server.cert",
            "elastic.otel.transport.gzip.enabled",
            "otel.service.name",
            "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_X")); // no property

    assertThat(logs.warnings()).isEmpty();
  }
}
