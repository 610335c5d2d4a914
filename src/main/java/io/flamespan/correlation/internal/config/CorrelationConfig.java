/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

import static java.util.stream.Collectors.toSet;

import io.flamespan.correlation.internal.log.Shortened;
import io.flamespan.correlation.internal.log.Trouble;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Validated, immutable settings. An invalid value logs one warning, which also says what is used
 * instead.
 */
public final class CorrelationConfig {
  private static final UnknownSettings UNKNOWN =
      new UnknownSettings(
          Stream.concat(
                  Settings.all().stream()
                      .map(Setting::toString)
                      .flatMap(name -> Stream.of(name, Settings.otherName(name))),
                  Settings.OF_TESTS.stream())
              .collect(toSet()));

  private static final String FILE = "file";
  private static final String DEFAULT = "default";

  private final UnaryOperator<@Nullable String> properties;
  private final String origin;
  private final Set<String> ofOrigin;
  private final boolean isSdkOfProperties;
  private final @Nullable String missingPermission;
  private final boolean isDisabled;
  private final String enabled; // the name, and the text
  private final Map<Setting<?>, Object> values = new HashMap<>();
  private final Map<String, String> inForce = new LinkedHashMap<>();

  private CorrelationConfig(
      UnaryOperator<@Nullable String> properties,
      String origin,
      Set<String> ofOrigin,
      boolean isSdkOfProperties,
      @Nullable String missingPermission) {
    this.properties = properties;
    this.origin = origin;
    this.ofOrigin = ofOrigin;
    this.isSdkOfProperties = isSdkOfProperties;
    this.missingPermission = missingPermission;
    this.isDisabled = isDisabledIn(properties);
    this.enabled =
        Settings.ENABLED.nameIn(properties)
            + " is "
            + Shortened.of(String.valueOf(Settings.ENABLED.textIn(properties)));
    Settings.all().forEach(this::read);
  }

  /**
   * Reads all settings through {@code properties}, which returns null for a setting that is not
   * set. Reports system properties and environment variables with mistyped names.
   *
   * @param missingPermission why the plug-in must stay off regardless of the settings, and the
   *     remedy; or null
   */
  public static CorrelationConfig read(
      UnaryOperator<@Nullable String> properties, @Nullable String missingPermission) {
    UNKNOWN.reportThoseOfProcess(false);
    return new CorrelationConfig(properties, FILE, Collections.emptySet(), true, missingPermission);
  }

  /**
   * Like {@link #read(UnaryOperator, String)}, where something else than files has settings, or
   * takes precedence over system properties and environment variables, which {@link
   * ProcessProperties} reads.
   *
   * @param origin what else has settings: {@code file} or {@code code}
   * @param ofOrigin the settings that certainly come from there
   */
  public static CorrelationConfig read(
      UnaryOperator<@Nullable String> properties,
      String origin,
      Set<String> ofOrigin,
      @Nullable String missingPermission) {
    UNKNOWN.reportThoseOfProcess(true);
    return new CorrelationConfig(properties, origin, ofOrigin, false, missingPermission);
  }

  /** Reports given properties that look like mistyped settings and are read as written. */
  public static void reportUnknown(Collection<String> properties) {
    UNKNOWN.report(properties, true);
  }

  /** Returns whether the properties turn the plug-in off. */
  public static boolean isDisabledIn(UnaryOperator<@Nullable String> properties) {
    return Switch.OFF.value().equalsIgnoreCase(Settings.ENABLED.textIn(properties));
  }

  /**
   * Returns the name below the common prefix of each setting, with the value in force and where it
   * comes from: {@code property}, {@code variable}, {@code file}, {@code code} or {@code default}.
   */
  public Map<String, String> inForce() {
    return Collections.unmodifiableMap(inForce);
  }

  /** Returns the value in force. */
  @SuppressWarnings("unchecked") // its reader has put it there
  public <T> T get(Setting<T> setting) {
    return (T) Objects.requireNonNull(values.get(setting));
  }

  /** Returns whether the setting has a text that is not blank, also if that is wrong. */
  boolean isSet(Setting<?> setting) {
    return ProcessProperties.isSet(setting.textIn(properties));
  }

  /**
   * Returns what configures the SDK if that is not its properties: {@code file} or {@code code}.
   */
  @Nullable String otherSourceOfSdk() {
    return isSdkOfProperties ? null : origin;
  }

  /** Returns the value of a property that is not the plug-in's own, or null if it is not set. */
  public @Nullable String ofOthers(String property) {
    return properties.apply(property);
  }

  /** Returns the name of the attribute, or null if it is not set. */
  public @Nullable String attribute(Setting<String> setting) {
    String name = get(setting);
    return name.isEmpty() ? null : name;
  }

  /** Returns whether the plug-in runs. A missing permission turns it off. */
  public Switch mode() {
    return missingPermission == null ? get(Settings.ENABLED) : Switch.OFF;
  }

  /** Returns whether the user has turned the plug-in off, and not a wrong value or a permission. */
  public boolean isDisabled() {
    return isDisabled;
  }

  /** Returns why the mode is {@link Switch#OFF}, and the remedy. */
  public String disabledReason() {
    return missingPermission == null || isDisabled()
        ? enabled + "; set it to auto or true"
        : missingPermission;
  }

  /** Returns the level at which to log that reason: WARNING unless the user has chosen it. */
  public Level disabledLevel() {
    return missingPermission == null || isDisabled() ? Level.FINE : Level.WARNING;
  }

  private <T> void read(Setting<T> setting) {
    String text = setting.textIn(properties);
    if (text == null) {
      use(setting, setting.defaultValue(), setting.defaultText(), DEFAULT);
      return;
    }
    String name = setting.nameIn(properties);
    T value = setting.parse(text, name);
    warnOfSecondName(setting, value, name, text);
    if (value == null) {
      warn(setting, name, text);
      value = setting.insteadOf(text);
      if (value.equals(setting.defaultValue())) {
        use(setting, value, setting.defaultText(), DEFAULT);
        return;
      }
    } else if (!setting.knownInsteadOf(value).isEmpty()) {
      Trouble.warn(
          CorrelationConfig.class,
          "{0} is {1}, which is used, but Flamespan knows only {2}.",
          name,
          Shortened.of(text),
          setting.knownInsteadOf(value));
    }
    use(setting, value, text, originOf(name, text));
  }

  private <T> void use(Setting<T> setting, T value, String text, String from) {
    values.put(setting, value);
    inForce.put(setting.name(), setting.shown(value, text) + " (" + from + ")");
  }

  private String originOf(String property, String value) {
    try {
      return ofOrigin.contains(property)
          ? origin
          : has((Map<?, ?>) System.getProperties().clone(), property, value)
              ? "property"
              : has(System.getenv(), property, value) ? "variable" : origin;
    } catch (SecurityException e) {
      return origin; // it can hardly be one of them
    }
  }

  /** Returns whether a name that the SDK takes for this property has this value. */
  private static boolean has(Map<?, ?> values, String property, String value) {
    return values.entrySet().stream()
        .anyMatch(
            entry ->
                property.equals(
                        String.valueOf(entry.getKey())
                            .toLowerCase(Locale.ROOT)
                            .replace('-', '.')
                            .replace('_', '.'))
                    && value.equals(String.valueOf(entry.getValue()).trim()));
  }

  private <T> void warnOfSecondName(
      Setting<T> setting, @Nullable T value, String name, String text) {
    String other = Settings.otherName(name);
    String ofOther = Setting.textIn(properties, other);
    if (ofOther != null
        && !ofOther.equals(text)
        && (value == null || !value.equals(setting.parse(ofOther, other)))) {
      Trouble.warn(
          CorrelationConfig.class,
          "{0} wins over {1}, which is its second name and has another value. Remove one of them.",
          name,
          other);
    }
  }

  private static void warn(Setting<?> setting, String name, String text) {
    Trouble.warn(
        CorrelationConfig.class,
        "Wrong value ''{0}'' of {1}: expected {2}; {3}.",
        Shortened.of(setting.quoted(text)),
        name,
        setting.expected(text),
        setting.consequence());
  }
}
