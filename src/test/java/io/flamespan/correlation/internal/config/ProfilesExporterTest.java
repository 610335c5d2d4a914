/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.LogCapturer;
import java.util.HashMap;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: otel.profiles.exporter says whether profiles are sent, as for other signals. */
class ProfilesExporterTest {
  private final LogCapturer logs = new LogCapturer();
  private final Map<String, String> properties = new HashMap<>();

  @AfterEach
  void close() {
    logs.close();
  }

  private CorrelationConfig config() {
    return CorrelationConfig.read(properties::get, null);
  }

  private void set(String exporter, String endpoint) {
    properties.put("otel.profiles.exporter", exporter);
    properties.put("flamespan.embedded.profiler.otlp.endpoint", endpoint);
  }

  @Test
  void otlp_withoutAnEndpoint_isTheSdks() {
    set(" OTLP ", "");
    assertThat(ProfilesExporter.endpoint(config())).isEqualTo("sdk");
  }

  @Test
  void otlp_withAnEndpoint_isThatOne() {
    set("otlp", "http://profiles:4318");
    assertThat(ProfilesExporter.endpoint(config())).isEqualTo("http://profiles:4318");
  }

  @ParameterizedTest
  @ValueSource(strings = {"htp://profiles:4318", "profiles:4318", "none", "SDK"})
  void otlp_withAWrongEndpoint_sendsNothing(String wrong) {
    set("otlp", wrong);
    assertThat(ProfilesExporter.endpoint(config())).isEmpty();
    assertThat(logs.warnings()).isNotEmpty().allMatch(line -> line.contains("nothing is sent"));
  }

  @Test
  void none_withAnEndpoint_sendsNothing() {
    set("none", "sdk");
    assertThat(ProfilesExporter.endpoint(config())).isEmpty();
  }

  @Test
  void exporter_notSet_leavesTheEndpoint() {
    set(" ", "sdk");
    assertThat(ProfilesExporter.endpoint(config())).isEqualTo("sdk");
    properties.clear();
    assertThat(ProfilesExporter.endpoint(config())).isEmpty();
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void exporter_thatIsUnknown_isOneWarningAndLeavesTheEndpoint() {
    set("{0}pyroscope", "sdk");
    assertThat(ProfilesExporter.endpoint(config())).isEqualTo("sdk");
    assertThat(logs.warnings())
        .containsExactly(
            "otel.profiles.exporter is {0}pyroscope, which does not export profiles: set it to otlp"
                + " or none");
  }

  @Test
  void otlp_withoutTheProfiler_isOneLine() {
    set("otlp", "");
    ProfilesExporter.reportUnused(config());
    set("none", "");
    ProfilesExporter.reportUnused(config());
    assertThat(logs.messages(Level.INFO))
        .containsExactly(
            "otel.profiles.exporter is otlp, but the embedded profiler is off: set"
                + " flamespan.embedded.profiler to on");
  }
}
