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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A setting: its name, its default, and which values it accepts. As a string, it is the name of its
 * property. Immutable.
 */
public abstract class Setting<T> {
  private final String property;
  private final T defaultValue;
  private final String defaultText;
  private final String values;

  /**
   * Creates a setting.
   *
   * @param name the name below the common prefix
   * @param defaultText the default as it would be written, or an empty string
   * @param values the accepted values, for the pages
   */
  private Setting(String name, T defaultValue, String defaultText, String values) {
    this.property = Settings.PREFIX + name;
    this.defaultValue = defaultValue;
    this.defaultText = defaultText;
    this.values = values;
  }

  /** Returns the name of the property. */
  @Override
  public final String toString() {
    return property;
  }

  /** Returns the name below the common prefix. */
  public final String name() {
    return property.substring(Settings.PREFIX.length());
  }

  /** Returns the default as it would be written, or an empty string. */
  public final String defaultText() {
    return defaultText;
  }

  /** Returns which values are accepted, as the pages say it. */
  public final String values() {
    return values;
  }

  final T defaultValue() {
    return defaultValue;
  }

  /** Returns the value of a text without surrounding blanks, or null if it is not accepted. */
  abstract @Nullable T parse(String text);

  /** Returns the value as a text, by which the user recognizes it. */
  String shown(T value, String text) {
    return value.toString();
  }

  /** Returns in a few words what would be accepted instead of this text. */
  abstract String expected(String text);

  /** Returns what is used instead of a text that is not accepted. */
  T insteadOf(String text) {
    return defaultValue;
  }

  /** Returns in a few words what follows from a text that is not accepted. */
  String consequence() {
    return "the default of " + defaultText + " is used";
  }

  /** A setting that is true or false. */
  static Setting<Boolean> flag(String name, boolean defaultValue) {
    return new Setting<Boolean>(
        name, defaultValue, Boolean.toString(defaultValue), "`true`, `false`") {
      @Override
      @Nullable Boolean parse(String text) {
        boolean isTrue = text.equalsIgnoreCase("true");
        return (isTrue || text.equalsIgnoreCase("false")) ? isTrue : null;
      }

      @Override
      String expected(String text) {
        return "true or false";
      }
    };
  }

  /** A feature that is off if the value is wrong. */
  static Setting<Switch> mode(String name, String ifWrong) {
    return new Setting<Switch>(name, Switch.AUTO, Switch.AUTO.value(), "`auto`, `true`, `false`") {
      @Override
      @Nullable Switch parse(String text) {
        for (Switch mode : Switch.values()) {
          if (mode.value().equalsIgnoreCase(text)) {
            return mode;
          }
        }
        return null;
      }

      @Override
      String shown(Switch value, String text) {
        return value.value();
      }

      @Override
      String expected(String text) {
        return "auto, true or false";
      }

      @Override
      Switch insteadOf(String text) {
        return Switch.OFF;
      }

      @Override
      String consequence() {
        return ifWrong;
      }
    };
  }

  /** A feature that is off unless the user asks for it. */
  static Setting<Switch> option(String name) {
    return new Setting<Switch>(name, Switch.OFF, "off", "`off`, `on`, `auto`") {
      /** YAML 1.1, which Spring Boot reads, makes {@code true} of {@code on}. */
      @Override
      @Nullable Switch parse(String text) {
        switch (text.toLowerCase(Locale.ROOT)) {
          case "off":
          case "false":
            return Switch.OFF;
          case "on":
          case "true":
            return Switch.ON;
          case "auto":
            return Switch.AUTO;
          default:
            return null;
        }
      }

      @Override
      String shown(Switch value, String text) {
        return value == Switch.AUTO ? "auto" : value == Switch.ON ? "on" : "off";
      }

      @Override
      String expected(String text) {
        return "off, on or auto";
      }
    };
  }

  /** One of two words. */
  static Setting<String> choice(String name, String defaultWord, String otherWord) {
    return new Setting<String>(
        name, defaultWord, defaultWord, "`" + defaultWord + "`, `" + otherWord + "`") {
      @Override
      @Nullable String parse(String text) {
        String word = text.toLowerCase(Locale.ROOT);
        return word.equals(defaultWord) || word.equals(otherWord) ? word : null;
      }

      @Override
      String expected(String text) {
        return defaultWord + " or " + otherWord;
      }
    };
  }

  /** A number from 1 to the maximum. */
  static Setting<Integer> size(String name, int defaultSize, int max, String unit) {
    return new Setting<Integer>(
        name,
        defaultSize,
        Integer.toString(defaultSize),
        String.format(Locale.ROOT, "1 to %,d %s", max, unit)) {
      @Override
      @Nullable Integer parse(String text) {
        try {
          int size = Integer.parseInt(text);
          return size >= 1 && size <= max ? size : null;
        } catch (NumberFormatException e) {
          return null;
        }
      }

      @Override
      String expected(String text) {
        return "a number from 1 to " + max;
      }
    };
  }

  /** Any text, or an empty string. */
  static Setting<String> text(String name, String values) {
    return new Setting<String>(name, "", "", values) {
      @Override
      String parse(String text) {
        return text;
      }

      @Override
      String expected(String text) {
        return values();
      }
    };
  }

  /** Visible ASCII characters. */
  static Setting<String> word(String name, String defaultWord) {
    return new Setting<String>(name, defaultWord, defaultWord, "ASCII characters without blanks") {
      @Override
      @Nullable String parse(String text) {
        return text.chars().allMatch(c -> c > ' ' && c < 0x7f) ? text : null;
      }

      @Override
      String expected(String text) {
        return values();
      }
    };
  }

  /**
   * A directory. A path that is not absolute would be created below the working directory, which is
   * hardly ever what was meant.
   */
  static Setting<ConfiguredDirectory> directory(String name) {
    ConfiguredDirectory none = new ConfiguredDirectory(null, Settings.PREFIX + name);
    return new Setting<ConfiguredDirectory>(name, none, "", "an absolute path") {
      @Override
      @Nullable ConfiguredDirectory parse(String text) {
        return text.startsWith("/") ? new ConfiguredDirectory(text, toString()) : null;
      }

      @Override
      String shown(ConfiguredDirectory value, String text) {
        try {
          return value.path();
        } catch (SecurityException e) {
          return "java.io.tmpdir"; // the plug-in stays off, and says why
        }
      }

      @Override
      String expected(String text) {
        return "an absolute path, " + absolute(text);
      }

      @Override
      String consequence() {
        return "the default directory is used";
      }
    };
  }

  private static final Pattern QUOTES = Pattern.compile("^[\"']+|[\"']+$");
  private static final Pattern FILE_URL = Pattern.compile("^file:/+");

  /** Returns what was probably meant. */
  private static String absolute(String text) {
    String path = QUOTES.matcher(text).replaceAll("");
    path = FILE_URL.matcher(path).replaceFirst("/");
    if (path.equals("~") || path.startsWith("~/")) {
      path = System.getProperty("user.home") + path.substring(1);
    }
    return path.startsWith("/") ? "such as " + Shortened.of(path) : "which begins with /";
  }

  /** A duration in seconds, above 0 and at most 60, or 0 if it is not set or wrong. */
  static Setting<Double> seconds(String name, String ifWrong) {
    return new Duration(name, "", "a number and `us`, `ms` or `s`: above 0, up to 60 s") {
      @Override
      boolean isInRange(double seconds) {
        return seconds > 0 && seconds <= 60;
      }

      @Override
      String expected(String text) {
        return "a duration of at most 60 s, such as 50ms";
      }

      @Override
      String consequence() {
        return ifWrong;
      }
    };
  }

  /** A duration in seconds, of at least 1 ms and at most 60 s. */
  static Setting<Double> period(String name, String defaultText) {
    return new Duration(name, defaultText, "a number and `ms` or `s`: from 1 ms to 60 s") {
      @Override
      boolean isInRange(double seconds) {
        return seconds >= 0.001 && seconds <= 60;
      }

      @Override
      String expected(String text) {
        return "a duration from 1ms to 60s, such as " + defaultText();
      }
    };
  }

  private abstract static class Duration extends Setting<Double> {
    private static final Pattern DURATION =
        Pattern.compile("([0-9]{1,9}(?:[.][0-9]{1,9})?) ?(us|ms|s)");

    Duration(String name, String defaultText, String values) {
      super(name, secondsOf(defaultText), defaultText, values);
    }

    abstract boolean isInRange(double seconds);

    @Override
    @Nullable Double parse(String text) {
      double seconds = secondsOf(text);
      return isInRange(seconds) ? seconds : null;
    }

    @Override
    String shown(Double value, String text) {
      return text;
    }

    /** Returns 0 if this is no duration. */
    private static double secondsOf(String text) {
      Matcher duration = DURATION.matcher(text);
      if (!duration.matches()) {
        return 0;
      }
      String unit = duration.group(2);
      return Double.parseDouble(duration.group(1))
          / (unit.equals("us") ? 1e6 : unit.equals("ms") ? 1e3 : 1);
    }
  }

  /**
   * The distinct entries of a comma-separated list, in order, without surrounding blanks. Without
   * entries, it is the default entry, or an empty list if that is empty.
   */
  static Setting<List<String>> list(String name, int max, String unit, String defaultEntry) {
    List<String> defaultList =
        defaultEntry.isEmpty() ? Collections.emptyList() : Collections.singletonList(defaultEntry);
    return new Setting<List<String>>(name, defaultList, defaultEntry, "up to " + max + " " + unit) {
      @Override
      @Nullable List<String> parse(String text) {
        List<String> entries = entries(text);
        return entries.isEmpty() ? defaultList : entries.size() <= max ? entries : null;
      }

      @Override
      String shown(List<String> value, String text) {
        return String.join(",", value);
      }

      @Override
      String expected(String text) {
        return "at most " + max + " entries";
      }

      @Override
      List<String> insteadOf(String text) {
        return Collections.unmodifiableList(entries(text).subList(0, max));
      }

      @Override
      String consequence() {
        return "the first " + max + " are used";
      }
    };
  }

  private static List<String> entries(String text) {
    Set<String> different = new LinkedHashSet<>();
    for (String entry : text.split(",", -1)) {
      if (!entry.trim().isEmpty()) {
        different.add(entry.trim());
      }
    }
    return Collections.unmodifiableList(new ArrayList<>(different));
  }
}
