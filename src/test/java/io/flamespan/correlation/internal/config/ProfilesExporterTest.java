/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.LogCapturer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: otel.profiles.exporter says whether profiles are sent, as for other signals. */
class ProfilesExporterTest {
  private static final String UNUSED =
      " is set, but no profiles are sent, as the embedded profiler is off: set"
          + " flamespan.embedded.profiler to on";

  private final LogCapturer logs = new LogCapturer();
  private final Map<String, String> properties = new HashMap<>();

  @AfterEach
  void close() {
    logs.close();
  }

  private CorrelationConfig config() {
    return CorrelationConfig.read(properties::get, null);
  }

  private CorrelationConfig configOfFile() {
    return CorrelationConfig.read(properties::get, "file", Set.of(), null);
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
  void none_withAnEndpoint_sendsNothingAndSaysSo() {
    set(" None,", "sdk");
    assertThat(ProfilesExporter.endpoint(config())).isEmpty();
    assertThat(logs.messages(Level.INFO))
        .containsExactly(
            "otel.profiles.exporter is none, so no profiles are sent, whatever"
                + " flamespan.embedded.profiler.otlp.endpoint is: remove none to send them");
    set("none", "");
    assertThat(ProfilesExporter.endpoint(config())).isEmpty();
    assertThat(logs.messages(Level.INFO)).hasSize(1);
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void none_besideOthers_sendsNothingWithAWarning() {
    set("otlp, none", "http://profiles:4318");
    assertThat(ProfilesExporter.endpoint(config())).isEmpty();
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .startsWith("otel.profiles.exporter is otlp,none, so no profiles are sent");
  }

  @Test
  void otlp_besideOthers_sendsWithAWarning() {
    set("console,OTLP,otlp", "");
    assertThat(ProfilesExporter.endpoint(config())).isEqualTo("sdk");
    assertThat(logs.warnings())
        .containsExactly(
            "otel.profiles.exporter has console, which does not export profiles: set it to otlp or"
                + " none");
  }

  @Test
  void endpointOfTheSdk_whichIsOfAFile_isOneWarningWithoutAProperty() {
    set("otlp", "");
    for (String ofProfiles : List.of("", "profiles.")) {
      String name = "otel.exporter.otlp." + ofProfiles + "endpoint";
      properties.put(name, "http://one:4318");
      assertThat(ProfilesExporter.endpoint(configOfFile())).isEqualTo("sdk");
      properties.remove(name);
    }
    assertThat(logs.warnings()).isEmpty();

    assertThat(ProfilesExporter.endpoint(configOfFile())).isEqualTo("sdk");
    assertThat(logs.warnings())
        .containsExactly(
            "Profiles have OpenTelemetry's default endpoint: no property names one, and those in the"
                + " file of the SDK are not read. Set flamespan.embedded.profiler.otlp.endpoint"
                + " there, and the property otel.exporter.otlp.profiles.protocol if it is grpc");
    assertThat(ProfilesExporter.endpoint(config())).isEqualTo("sdk");
    assertThat(logs.warnings()).hasSize(1);
  }

  @Test
  void exporter_notSet_leavesTheEndpoint() {
    for (String empty : List.of(" ", ", ,")) {
      set(empty, "sdk");
      assertThat(ProfilesExporter.endpoint(config())).isEqualTo("sdk");
    }
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
            "otel.profiles.exporter has {0}pyroscope, which does not export profiles: set it to otlp"
                + " or none");
  }

  /** The property may be for processes in other languages. */
  @Test
  void otlp_withoutTheProfiler_isOneLine() {
    set("otlp", "");
    ProfilesExporter.reportUnused(config());
    assertThat(logs.messages(Level.INFO)).containsExactly("otel.profiles.exporter" + UNUSED);
    for (String sendsNothing : List.of("none", "otlp,none", "")) {
      set(sendsNothing, "");
      ProfilesExporter.reportUnused(config());
    }
    assertThat(logs.messages(Level.INFO)).hasSize(1);
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void endpoint_withoutTheProfiler_isOneWarning() {
    set("none", "http://profiles:4318");
    ProfilesExporter.reportUnused(config());
    assertThat(logs.warnings()).isEmpty();
    set("", "http://profiles:4318");
    ProfilesExporter.reportUnused(config());
    assertThat(logs.warnings())
        .containsExactly("flamespan.embedded.profiler.otlp.endpoint" + UNUSED);
    properties.put("flamespan.embedded.profiler", "off");
    ProfilesExporter.reportUnused(config());
    assertThat(logs.warnings()).hasSize(1);
    assertThat(logs.messages(Level.INFO)).hasSize(2);
  }
}
