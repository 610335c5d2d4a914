/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Editors complete the settings in application.properties from this file. */
class ConfigurationMetadataTest {
  private static final Path METADATA =
      Path.of("src/main/resources/META-INF/spring-configuration-metadata.json");

  private static final Pattern SETTING =
      Pattern.compile(
          "\\{\"name\": \""
              + Pattern.quote(Settings.PREFIX)
              + "([a-z.]+)\", \"type\": \"[\\w.]+\", \"description\": \"[^\"]+[.]\""
              + "(?:, \"defaultValue\": \"?([^\"]+)\"?)?},?");

  @Test
  void settings_all_areDescribedWithTheirDefaults() throws IOException {
    Map<String, String> described = new TreeMap<>();
    for (String line : Files.readAllLines(METADATA)) {
      Matcher setting = SETTING.matcher(line);
      if (setting.matches()) {
        described.put(setting.group(1), setting.group(2) == null ? "" : setting.group(2));
      }
    }
    Map<String, String> inForce = CorrelationConfig.read(name -> null, null).inForce();

    assertThat(described.keySet()).isEqualTo(new TreeMap<>(inForce).keySet());
    described.forEach(
        (name, value) ->
            assertThat(inForce.get(name)).as(name).contains(value).endsWith(" (default)"));
  }
}
