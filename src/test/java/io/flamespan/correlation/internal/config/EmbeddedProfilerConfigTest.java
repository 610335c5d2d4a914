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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code embedded.profiler} and the settings below it. */
class EmbeddedProfilerConfigTest {
  private static final String PREFIX = "flamespan.";

  private final Map<String, String> properties = new HashMap<>();
  private final LogCapturer logs = new LogCapturer();

  @AfterEach
  void stopCapturing() {
    logs.close();
  }

  private CorrelationConfig read() {
    return CorrelationConfig.read(properties::get, null);
  }

  @Test
  void embeddedProfiler_eachWord_isItsMode() {
    Map<String, Switch> modes =
        Map.of(
            "off", Switch.OFF,
            "ON ", Switch.ON,
            "auto", Switch.AUTO,
            "true", Switch.ON, // YAML 1.1 makes it of on
            "False", Switch.OFF);
    modes.forEach(
        (value, mode) -> {
          properties.put(PREFIX + "embedded.profiler", value);
          assertThat(read().get(Settings.EMBEDDED_PROFILER)).as(value).isEqualTo(mode);
        });
    properties.put(PREFIX + "embedded.profiler", "true");
    assertThat(read().inForce()).containsEntry("embedded.profiler", "on (file)");
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void embeddedProfiler_wrong_isOffWithOneWarning() {
    properties.put(PREFIX + "embedded.profiler", "yes");

    assertThat(read().get(Settings.EMBEDDED_PROFILER)).isEqualTo(Switch.OFF);
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains("'yes'", PREFIX + "embedded.profiler", "off, on or auto", "default of off");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sdk", "http://localhost:4318", "https://user:word@host_name/path"})
  void embeddedEndpoint_urlOrWord_isUsed(String value) {
    properties.put(PREFIX + "embedded.profiler.otlp.endpoint", value);

    assertThat(read().get(Settings.EMBEDDED_PROFILER_OTLP_ENDPOINT)).isEqualTo(value);
    assertThat(logs.warnings()).isEmpty();
  }

  @Test
  void embeddedEndpoint_wrongAndWithSecrets_isNotLogged() {
    for (String url : List.of("ftp://user:word@host", "user:word@host:4318", "/path?key=word")) {
      properties.put(PREFIX + "embedded.profiler.otlp.endpoint", url);
      read();
    }

    assertThat(logs.warnings()) // one, as the lines are equal
        .singleElement()
        .asString()
        .contains("'…' of " + PREFIX + "embedded.profiler.otlp.endpoint");
    assertThat(Setting.withoutSecrets("user:word@host:4318")).isEqualTo("host:4318");
  }

  @Test
  void embeddedEndpoint_withSecrets_isShownWithout() {
    properties.put(PREFIX + "embedded.profiler.otlp.endpoint", "https://user:word@host/path?key=1");

    assertThat(read().inForce().get("embedded.profiler.otlp.endpoint"))
        .startsWith("https://host/path (");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:4318", "on", "ftp://host", "http:", "http://a b"})
  void embeddedEndpoint_wrong_isNoneWithOneWarning(String value) {
    properties.put(PREFIX + "embedded.profiler.otlp.endpoint", value);

    assertThat(read().get(Settings.EMBEDDED_PROFILER_OTLP_ENDPOINT)).isEmpty();
    assertThat(logs.warnings())
        .singleElement()
        .asString()
        .contains(
            "'" + value + "'", "sdk, or a URL such as http://localhost:4318", "nothing is sent");
  }

  @Test
  void embeddedPeriod_withinItsLimits_isUsed() {
    properties.put(PREFIX + "embedded.profiler.period", "5ms");
    assertThat(read().get(Settings.EMBEDDED_PROFILER_PERIOD)).isEqualTo(0.005);
    properties.put(PREFIX + "embedded.profiler.period", "60 s");
    assertThat(read().get(Settings.EMBEDDED_PROFILER_PERIOD)).isEqualTo(60);
    assertThat(logs.warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"999us", "0", "61s", "fast", "50"})
  void embeddedPeriod_wrong_isTheDefaultWithOneWarning(String value) {
    properties.put(PREFIX + "embedded.profiler.period", value);

    assertThat(read().get(Settings.EMBEDDED_PROFILER_PERIOD)).isEqualTo(0.05);
    assertThat(read().inForce()).containsEntry("embedded.profiler.period", "50ms (default)");
    assertThat(logs.warnings().get(0))
        .contains("'" + value + "'", "embedded.profiler.period", "from 1ms to 60s", "50ms");
  }

  @Test
  void embeddedEvents_several_areUsedInOrder() {
    properties.put(PREFIX + "embedded.profiler.events", " Lock, cpu,,lock ");
    assertThat(read().get(Settings.EMBEDDED_PROFILER_EVENTS)).containsExactly("lock", "cpu");
    assertThat(logs.warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu,memory", ",", "cpu alloc"})
  void embeddedEvents_wrong_areTheDefaultWithOneWarning(String value) {
    properties.put(PREFIX + "embedded.profiler.events", value);

    assertThat(read().get(Settings.EMBEDDED_PROFILER_EVENTS)).containsExactly("cpu");
    assertThat(logs.warnings().get(0))
        .contains(
            "'" + value + "'", "embedded.profiler.events", "one or more of cpu, alloc, lock, wall");
  }
}
