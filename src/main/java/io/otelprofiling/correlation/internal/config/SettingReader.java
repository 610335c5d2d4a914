/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.config;

import io.otelprofiling.correlation.internal.log.Shortened;
import io.otelprofiling.correlation.internal.posix.ConfiguredDirectory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads single settings. A blank value counts as not set. An invalid value logs one warning, which
 * also says what is used instead.
 */
final class SettingReader {
  private static final Logger logger = Logger.getLogger(SettingReader.class.getName());

  private static final Pattern DURATION =
      Pattern.compile("([0-9]{1,9}(?:[.][0-9]{1,9})?) ?(us|ms|s)");
  private static final double MAX_SECONDS = 60;

  private static final Pattern QUOTES = Pattern.compile("^[\"']+|[\"']+$");
  private static final Pattern FILE_URL = Pattern.compile("^file:/+");

  private final UnaryOperator<@Nullable String> properties;

  SettingReader(UnaryOperator<@Nullable String> properties) {
    this.properties = properties;
  }

  /** Returns the value without surrounding blanks, or null if it is not set. */
  @Nullable String text(String property) {
    String value = properties.apply(property);
    if (value == null || value.trim().isEmpty()) {
      return null;
    }
    return value.trim();
  }

  /**
   * Returns the directory named by the setting, or the default directory. A path that is not
   * absolute would be created below the working directory, which is hardly ever what was meant.
   */
  ConfiguredDirectory directory(String property) {
    String value = text(property);
    if (value != null && !value.startsWith("/")) {
      warn(
          property, value, "an absolute path, " + absolute(value), "the default directory is used");
      value = null;
    }
    return new ConfiguredDirectory(value, property);
  }

  /** Returns what was probably meant. */
  private static String absolute(String value) {
    String path = QUOTES.matcher(value).replaceAll("");
    path = FILE_URL.matcher(path).replaceFirst("/");
    if (path.equals("~") || path.startsWith("~/")) {
      path = System.getProperty("user.home") + path.substring(1);
    }
    return path.startsWith("/") ? "such as " + Shortened.of(path) : "which begins with /";
  }

  /** Returns the mode, or {@link Switch#OFF} for an invalid value. */
  Switch mode(String property, String ifWrong) {
    String value = text(property);
    if (value == null) {
      return Switch.AUTO;
    }
    for (Switch mode : Switch.values()) {
      if (mode.value().equalsIgnoreCase(value)) {
        return mode;
      }
    }
    warn(property, value, "auto, true or false", ifWrong);
    return Switch.OFF;
  }

  /** Returns a number from 1 to the maximum. */
  int size(String property, int defaultSize, int maxSize) {
    String value = text(property);
    if (value == null) {
      return defaultSize;
    }
    try {
      int size = Integer.parseInt(value);
      if (size >= 1 && size <= maxSize) {
        return size;
      }
    } catch (NumberFormatException e) {
      // Reported by the warning below.
    }
    warn(property, value, "a number from 1 to " + maxSize, defaultUsed(defaultSize));
    return defaultSize;
  }

  /** Returns a duration in seconds, above 0 and at most 60, or 0 if it is not set or invalid. */
  double seconds(String property, String ifWrong) {
    String value = text(property);
    if (value == null) {
      return 0;
    }
    Matcher duration = DURATION.matcher(value);
    if (duration.matches()) {
      String unit = duration.group(2);
      double seconds =
          Double.parseDouble(duration.group(1))
              / (unit.equals("us") ? 1e6 : unit.equals("ms") ? 1e3 : 1);
      if (seconds > 0 && seconds <= MAX_SECONDS) {
        return seconds;
      }
    }
    warn(property, value, "a duration of at most 60 s, such as 50ms", ifWrong);
    return 0;
  }

  boolean flag(String property, boolean defaultFlag) {
    String value = text(property);
    if (value == null) {
      return defaultFlag;
    }
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      return Boolean.parseBoolean(value);
    }
    warn(property, value, "true or false", defaultUsed(defaultFlag));
    return defaultFlag;
  }

  /** Returns a value of visible ASCII characters. */
  String word(String property, String defaultWord) {
    String value = text(property);
    if (value == null) {
      return defaultWord;
    }
    if (value.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      return value;
    }
    warn(property, value, "ASCII characters without blanks", defaultUsed(defaultWord));
    return defaultWord;
  }

  /**
   * Returns the distinct entries of a comma-separated list, in order, without surrounding blanks.
   */
  List<String> list(String property, int maxEntries) {
    String value = text(property);
    if (value == null) {
      return Collections.emptyList();
    }
    Set<String> different = new LinkedHashSet<>();
    for (String entry : value.split(",", -1)) {
      if (!entry.trim().isEmpty()) {
        different.add(entry.trim());
      }
    }
    List<String> entries = new ArrayList<>(different);
    if (entries.size() > maxEntries) {
      warn(
          property,
          value,
          "at most " + maxEntries + " entries",
          "the first " + maxEntries + " are used");
      entries = entries.subList(0, maxEntries);
    }
    return Collections.unmodifiableList(entries);
  }

  private static String defaultUsed(Object defaultValue) {
    return "the default of " + defaultValue + " is used";
  }

  private static void warn(String property, String value, String accepted, String consequence) {
    logger.log(
        Level.WARNING,
        String.format(
            Locale.ROOT,
            "Wrong value '%s' of %s: expected %s; %s.",
            Shortened.of(value),
            property,
            accepted,
            consequence));
  }
}
