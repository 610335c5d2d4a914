/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.config;

import io.otelprofiling.correlation.internal.log.Shortened;
import io.otelprofiling.correlation.internal.log.Trouble;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads single settings. A blank value counts as not set. An invalid value logs one warning, which
 * also says what is used instead.
 */
final class SettingReader {
  private static final Logger logger = Logger.getLogger(SettingReader.class.getName());

  static final String FILE = "file";
  private static final String DEFAULT = "default";

  private final UnaryOperator<@Nullable String> properties;
  private final String origin;
  private final Set<String> ofOrigin;
  private final Map<Setting<?>, Object> values;
  private final Map<String, String> inForce;

  /**
   * Creates a reader.
   *
   * @param origin where settings come from that are no system properties or environment variables
   * @param ofOrigin the settings that certainly come from there
   * @param values receives the values
   * @param inForce receives the names below the common prefix, the values as text and where they
   *     come from
   */
  SettingReader(
      UnaryOperator<@Nullable String> properties,
      String origin,
      Set<String> ofOrigin,
      Map<Setting<?>, Object> values,
      Map<String, String> inForce) {
    this.properties = properties;
    this.origin = origin;
    this.ofOrigin = ofOrigin;
    this.values = values;
    this.inForce = inForce;
  }

  <T> void read(Setting<T> setting) {
    String text = properties.apply(setting.toString());
    if (text == null || text.trim().isEmpty()) {
      use(setting, setting.defaultValue(), setting.defaultText(), DEFAULT);
      return;
    }
    text = text.trim();
    T value = setting.parse(text);
    if (value == null) {
      warn(setting, text);
      value = setting.insteadOf(text);
      if (value.equals(setting.defaultValue())) {
        use(setting, value, setting.defaultText(), DEFAULT);
        return;
      }
    }
    use(setting, value, text, originOf(setting.toString(), text));
  }

  private <T> void use(Setting<T> setting, T value, String text, String from) {
    values.put(setting, value);
    inForce.put(setting.name(), setting.shown(value, text) + " (" + from + ")");
  }

  private String originOf(String property, String value) {
    if (ofOrigin.contains(property)) {
      return origin;
    }
    try {
      for (String name : System.getProperties().stringPropertyNames()) {
        if (isNamed(property, name.replace('-', '.')) && isValue(value, System.getProperty(name))) {
          return "property";
        }
      }
      for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
        if (isNamed(property, variable.getKey().replace('_', '.'))
            && isValue(value, variable.getValue())) {
          return "variable";
        }
      }
    } catch (SecurityException e) {
      // It can hardly be one of them.
    }
    return origin;
  }

  private static boolean isNamed(String property, String name) {
    return property.equals(name.toLowerCase(Locale.ROOT));
  }

  private static boolean isValue(String value, @Nullable String other) {
    return other != null && value.equals(other.trim());
  }

  private static void warn(Setting<?> setting, String text) {
    Trouble.log(
        logger,
        Level.WARNING,
        String.format(
            Locale.ROOT,
            "Wrong value '%s' of %s: expected %s; %s.",
            Shortened.of(text),
            setting,
            setting.expected(text),
            setting.consequence()));
  }
}
