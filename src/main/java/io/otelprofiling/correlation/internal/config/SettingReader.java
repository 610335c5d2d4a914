/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.config;

import io.otelprofiling.correlation.internal.log.Shortened;
import io.otelprofiling.correlation.internal.log.Trouble;
import io.otelprofiling.correlation.internal.posix.ConfiguredDirectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
  private static final double MILLISECOND = 1e-3;
  private static final double MAX_SECONDS = 60;

  private static final Pattern QUOTES = Pattern.compile("^[\"']+|[\"']+$");
  private static final Pattern FILE_URL = Pattern.compile("^file:/+");

  static final String FILE = "file";
  private static final String DEFAULT = "default";

  private final UnaryOperator<@Nullable String> properties;
  private final String origin;
  private final Set<String> ofOrigin;
  private final Map<String, String> inForce = new LinkedHashMap<>();

  /**
   * Creates a reader.
   *
   * @param origin where settings come from that are no system properties or environment variables
   * @param ofOrigin the settings that certainly come from there
   */
  SettingReader(UnaryOperator<@Nullable String> properties, String origin, Set<String> ofOrigin) {
    this.properties = properties;
    this.origin = origin;
    this.ofOrigin = ofOrigin;
  }

  /** Returns what has been read: names below the common prefix, values and where they come from. */
  Map<String, String> inForce() {
    return Collections.unmodifiableMap(inForce);
  }

  private <T> T isDefault(String property, T value) {
    return use(property, value, DEFAULT);
  }

  private <T> T use(String property, T value, String from) {
    inForce.put(property.substring(CorrelationConfig.PREFIX.length()), value + " (" + from + ")");
    return value;
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

  /** Returns the text, or null if it is not set. */
  @Nullable String text(String property) {
    String value = given(property);
    if (value == null) {
      String unused = isDefault(property, "");
      return null;
    }
    return use(property, value, originOf(property, value));
  }

  /** Returns the value without surrounding blanks, or null if it is not set. */
  @Nullable String given(String property) {
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
    String value = given(property);
    if (value != null && !value.startsWith("/")) {
      warn(
          property, value, "an absolute path, " + absolute(value), "the default directory is used");
      value = null;
    }
    ConfiguredDirectory directory = new ConfiguredDirectory(value, property);
    String unused =
        use(property, shown(directory), value == null ? DEFAULT : originOf(property, value));
    return directory;
  }

  private static String shown(ConfiguredDirectory directory) {
    try {
      return directory.path();
    } catch (SecurityException e) {
      return "java.io.tmpdir"; // the plug-in stays off, and says why
    }
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
    String value = given(property);
    if (value == null) {
      return used(property, Switch.AUTO, DEFAULT);
    }
    String from = originOf(property, value);
    for (Switch mode : Switch.values()) {
      if (mode.value().equalsIgnoreCase(value)) {
        return used(property, mode, from);
      }
    }
    warn(property, value, "auto, true or false", ifWrong);
    return used(property, Switch.OFF, from);
  }

  private Switch used(String property, Switch mode, String from) {
    String unused = use(property, mode.value(), from);
    return mode;
  }

  /** Returns a number from 1 to the maximum. */
  int size(String property, int defaultSize, int maxSize) {
    String value = given(property);
    if (value == null) {
      return isDefault(property, defaultSize);
    }
    try {
      int size = Integer.parseInt(value);
      if (size >= 1 && size <= maxSize) {
        return use(property, size, originOf(property, value));
      }
    } catch (NumberFormatException e) {
      // Reported by the warning below.
    }
    warn(property, value, "a number from 1 to " + maxSize, defaultUsed(defaultSize));
    return isDefault(property, defaultSize);
  }

  /** Returns a duration in seconds, above 0 and at most 60, or 0 if it is not set or invalid. */
  double seconds(String property, String ifWrong) {
    return seconds(property, 0, "a duration of at most 60 s, such as 50ms", "", ifWrong);
  }

  /**
   * Returns a duration in seconds, of at least 1 ms and at most 60 s.
   *
   * @param defaultDuration such as {@code 50ms}
   */
  double millisOrMore(String property, String defaultDuration) {
    double seconds =
        seconds(
            property,
            MILLISECOND,
            "a duration from 1ms to 60s, such as " + defaultDuration,
            defaultDuration,
            defaultUsed(defaultDuration));
    return seconds > 0 ? seconds : seconds(defaultDuration);
  }

  private double seconds(
      String property, double least, String accepted, String defaultValue, String ifWrong) {
    String value = given(property);
    String unused = isDefault(property, defaultValue);
    if (value == null) {
      return 0;
    }
    double seconds = seconds(value);
    if (seconds > 0 && seconds >= least && seconds <= MAX_SECONDS) {
      unused = use(property, value, originOf(property, value));
      return seconds;
    }
    warn(property, value, accepted, ifWrong);
    return 0;
  }

  /** Returns 0 if this is no duration. */
  private static double seconds(String value) {
    Matcher duration = DURATION.matcher(value);
    if (!duration.matches()) {
      return 0;
    }
    String unit = duration.group(2);
    return Double.parseDouble(duration.group(1))
        / (unit.equals("us") ? 1e6 : unit.equals("ms") ? 1e3 : 1);
  }

  boolean flag(String property, boolean defaultFlag) {
    String value = given(property);
    if (value == null) {
      return isDefault(property, defaultFlag);
    }
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      return use(property, Boolean.parseBoolean(value), originOf(property, value));
    }
    warn(property, value, "true or false", defaultUsed(defaultFlag));
    return isDefault(property, defaultFlag);
  }

  /** Returns one of these words, of which the first one is the default. */
  String choice(String property, String... words) {
    String value = given(property);
    if (value == null) {
      return isDefault(property, words[0]);
    }
    for (String word : words) {
      if (isWord(value, word)) {
        return use(property, word, originOf(property, value));
      }
    }
    warn(property, value, alternatives(words), defaultUsed(words[0]));
    return isDefault(property, words[0]);
  }

  /** YAML 1.1, which Spring Boot reads, makes {@code true} of {@code on}. */
  private static boolean isWord(String value, String word) {
    return value.equalsIgnoreCase(word)
        || (word.equals("on") && value.equalsIgnoreCase("true"))
        || (word.equals("off") && value.equalsIgnoreCase("false"));
  }

  private static String alternatives(String... words) {
    int last = words.length - 1;
    return String.join(", ", Arrays.copyOf(words, last)) + " or " + words[last];
  }

  /** Returns a value of visible ASCII characters. */
  String word(String property, String defaultWord) {
    String value = given(property);
    if (value == null) {
      return isDefault(property, defaultWord);
    }
    if (value.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      return use(property, value, originOf(property, value));
    }
    warn(property, value, "ASCII characters without blanks", defaultUsed(defaultWord));
    return isDefault(property, defaultWord);
  }

  /**
   * Returns the distinct entries of a comma-separated list, in order, without surrounding blanks.
   * Without entries, returns the default entry, or an empty list if that is empty.
   */
  List<String> list(String property, int maxEntries, String defaultEntry) {
    String value = given(property);
    List<String> entries =
        value == null ? Collections.emptyList() : entries(property, value, maxEntries);
    if (value == null || entries.isEmpty()) {
      String entry = isDefault(property, defaultEntry);
      return entry.isEmpty() ? entries : Collections.singletonList(entry);
    }
    String unused = use(property, String.join(",", entries), originOf(property, value));
    return entries;
  }

  private static List<String> entries(String property, String value, int maxEntries) {
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
    Trouble.log(
        logger,
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
