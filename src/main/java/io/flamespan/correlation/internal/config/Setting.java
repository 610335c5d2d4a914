/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.config;

import static java.util.stream.Collectors.toList;

import io.flamespan.correlation.internal.log.Shortened;
import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A setting: its name, its default, and which values it accepts. As a string, it is the name of its
 * property. Immutable once it is declared.
 */
public final class Setting<T> {
  private static final Pattern QUOTES = Pattern.compile("^[\"']+|[\"']+$");
  private static final Pattern FILE_URL = Pattern.compile("^file:/+");
  private static final Pattern SECRETS = Pattern.compile("[@?#]"); // before or after
  private static final Pattern DURATION =
      Pattern.compile("([0-9]{1,9}(?:[.][0-9]{1,9})?) ?(us|ms|s)");

  private final String property;
  private final T defaultValue;
  private final String defaultText;
  private final String values;
  private BiFunction<String, String, @Nullable T> parser; // of the text and the name
  private @Nullable Function<T, String> format; // null: a value is shown as its text
  private UnaryOperator<String> expected; // instead of a text
  private Function<String, T> substitute;
  private String consequence;
  private boolean mayHaveSecrets;
  private List<T> known = Collections.emptyList(); // if others are accepted, too

  /**
   * Creates a setting. A value that is not accepted is replaced with the default.
   *
   * @param name the name below the common prefix
   * @param defaultText the default as it would be written, or an empty string
   * @param values the accepted values, for the pages and, without its backticks, for messages
   * @param parser returns the value of a text without surrounding blanks, or null if it is not
   *     accepted
   * @param format returns a text by which the user recognizes a value, if not by its own
   */
  private Setting(
      String name,
      T defaultValue,
      String defaultText,
      String values,
      Function<String, @Nullable T> parser,
      @Nullable Function<T, String> format) {
    this.property = Settings.PREFIX + name;
    this.defaultValue = defaultValue;
    this.defaultText = defaultText;
    this.values = values;
    this.parser = (text, property) -> parser.apply(text);
    this.format = format;
    this.expected = text -> values.replace("`", "");
    this.substitute = text -> defaultValue;
    this.consequence = "the default of " + defaultText + " is used";
  }

  /** Says what follows from a text that is not accepted, in a few words. */
  private Setting<T> ifWrong(String words, Function<String, T> value) {
    consequence = words;
    substitute = value;
    return this;
  }

  /** Returns the name of the property. */
  @Override
  public String toString() {
    return property;
  }

  /** Returns the name below the common prefix. */
  public String name() {
    return property.substring(Settings.PREFIX.length());
  }

  /** Returns the default as it would be written, or an empty string. */
  public String defaultText() {
    return defaultText;
  }

  /** Returns which values are accepted, as the pages say it. */
  public String values() {
    return values;
  }

  /**
   * Returns the name by which it is set: its property, or the second name if only this has a value.
   */
  public String nameIn(UnaryOperator<@Nullable String> properties) {
    String other = Settings.otherName(property);
    return textIn(properties, property) == null && textIn(properties, other) != null
        ? other
        : property;
  }

  /** Returns its text without surrounding blanks, or null if it is not set. */
  public @Nullable String textIn(UnaryOperator<@Nullable String> properties) {
    return textIn(properties, nameIn(properties));
  }

  /** The SDK lets a blank property hide the environment variable. */
  static @Nullable String textIn(UnaryOperator<@Nullable String> properties, String name) {
    String text = properties.apply(name);
    if (text != null && !ProcessProperties.isSet(text)) {
      text = ProcessProperties.get(name);
    }
    return text == null ? null : text.trim();
  }

  /** Returns its value, for those who read it before the plug-in starts. Warns of nothing. */
  public T valueIn(UnaryOperator<@Nullable String> properties) {
    String text = textIn(properties);
    if (text == null) {
      return defaultValue;
    }
    T value = parse(text, nameIn(properties));
    return value == null ? insteadOf(text) : value;
  }

  T defaultValue() {
    return defaultValue;
  }

  /**
   * Returns the value of a text without surrounding blanks, or null if it is not accepted.
   *
   * @param name the name by which it is set
   */
  @Nullable T parse(String text, String name) {
    return parser.apply(text, name);
  }

  /** Returns what is used instead of a text that is not accepted. */
  T insteadOf(String text) {
    return substitute.apply(text);
  }

  /** Returns the value as a text by which the user recognizes it. */
  String shown(T value, String text) {
    return format == null ? text : format.apply(value);
  }

  /** Returns a text that is not accepted, for the log. */
  String quoted(String text) {
    return mayHaveSecrets && SECRETS.matcher(text).find() ? "…" : text;
  }

  /** Returns in a few words what would be accepted instead of this text. */
  String expected(String text) {
    return expected.apply(text);
  }

  /** Returns in a few words what follows from a text that is not accepted. */
  String consequence() {
    return consequence;
  }

  /** Returns the values that are known if an accepted one is not, or an empty list. */
  List<T> knownInsteadOf(T value) {
    return known.contains(value) ? Collections.emptyList() : known;
  }

  /** One of these words, each for the value at its place. */
  private static <T> Setting<T> oneOf(
      String name, T defaultValue, List<T> accepted, List<String> words) {
    Setting<T> setting =
        new Setting<>(
            name,
            defaultValue,
            words.get(accepted.indexOf(defaultValue)),
            "`" + String.join("`, `", words) + "`",
            text -> {
              int place = words.indexOf(text.toLowerCase(Locale.ROOT));
              return place < 0 ? null : accepted.get(place);
            },
            value -> words.get(accepted.indexOf(value)));
    setting.expected = text -> String.join(", ", words).replaceFirst(", (?=[^,]*$)", " or ");
    return setting;
  }

  /** A setting that is true or false. */
  static Setting<Boolean> flag(String name, boolean defaultValue) {
    return oneOf(name, defaultValue, Arrays.asList(true, false), Arrays.asList("true", "false"));
  }

  /** A feature that is off if the value is wrong. */
  static Setting<Switch> mode(String name, String ifWrong) {
    return oneOf(
            name,
            Switch.AUTO,
            Arrays.asList(Switch.values()),
            Arrays.stream(Switch.values()).map(Switch::value).collect(toList()))
        .ifWrong(ifWrong, text -> Switch.OFF);
  }

  /** A feature that is off unless the user asks for it. */
  static Setting<Switch> option(String name) {
    return oneOf(
            name,
            Switch.OFF,
            Arrays.asList(Switch.OFF, Switch.ON, Switch.AUTO),
            Arrays.asList("off", "on", "auto"))
        .inYaml();
  }

  /** The same with other words, of which the first one is {@code off}. */
  static Setting<String> option(String name, String... words) {
    return choice(name, words).inYaml();
  }

  /** YAML 1.1, which Spring Boot reads, makes {@code true} of {@code on}. */
  private Setting<T> inYaml() {
    BiFunction<String, String, @Nullable T> words = parser;
    parser =
        (text, property) ->
            words.apply(
                text.equalsIgnoreCase("true")
                    ? "on"
                    : text.equalsIgnoreCase("false") ? "off" : text,
                property);
    return this;
  }

  /** One of several words, of which the first one is the default. */
  static Setting<String> choice(String name, String... words) {
    return oneOf(name, words[0], Arrays.asList(words), Arrays.asList(words));
  }

  /** The distinct words of a comma-separated list, of which the first one is the default. */
  static Setting<List<String>> words(String name, String... words) {
    return new Setting<>(
        name,
        entries(words[0]),
        words[0],
        "one or more of `" + String.join("`, `", words) + "`",
        text -> {
          List<String> entries = entries(text.toLowerCase(Locale.ROOT));
          return !entries.isEmpty() && Arrays.asList(words).containsAll(entries) ? entries : null;
        },
        entries -> String.join(",", entries));
  }

  /** A number from 1 to the maximum. */
  static Setting<Integer> size(String name, int defaultSize, int max, String unit) {
    return new Setting<>(
        name,
        defaultSize,
        Integer.toString(defaultSize),
        "1 to " + max + " " + unit,
        text -> size(text, max),
        size -> Integer.toString(size));
  }

  private static @Nullable Integer size(String text, int max) {
    try {
      int size = Integer.parseInt(text);
      return size >= 1 && size <= max ? size : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Any text, or an empty string. */
  static Setting<String> text(String name, String values) {
    return new Setting<>(name, "", "", values, text -> text, null);
  }

  /** A URL of HTTP, or a word. Off without a value, and if it is wrong. */
  static Setting<String> endpoint(String name, String word) {
    Setting<String> setting =
        new Setting<>(
            name,
            "",
            "",
            "`" + word + "`, or a URL such as `http://localhost:4318`",
            text -> word.equals(text) || isUrl(text) ? text : null,
            Setting::withoutSecrets);
    setting.mayHaveSecrets = true;
    return setting.ifWrong("nothing is sent", text -> "");
  }

  /** Returns a URL without what may be a password or a key. */
  public static String withoutSecrets(String url) {
    return url.replaceAll("^([a-z]+://)?[^?#]*@", "$1").replaceAll("[?#].*", "");
  }

  private static boolean isUrl(String text) {
    try {
      URI uri = new URI(text);
      String scheme = uri.getScheme();
      return ("http".equals(scheme) || "https".equals(scheme)) && uri.getRawAuthority() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** One of these names, of which the first one is the default, or one that others may know. */
  static Setting<String> names(String name, String... known) {
    Setting<String> setting =
        new Setting<>(
            name,
            known[0],
            known[0],
            "`" + String.join("`, `", known) + "`, or another ASCII word",
            text ->
                Arrays.asList(known).contains(text.toLowerCase(Locale.ROOT))
                    ? text.toLowerCase(Locale.ROOT)
                    : text.chars().allMatch(c -> c > ' ' && c < 0x7f) ? text : null,
            null);
    setting.known = Arrays.asList(known);
    return setting;
  }

  /**
   * A directory. A path that is not absolute would be created below the working directory, which is
   * hardly ever what was meant.
   */
  static Setting<ConfiguredDirectory> directory(String name) {
    ConfiguredDirectory none = new ConfiguredDirectory(null, Settings.PREFIX + name);
    Setting<ConfiguredDirectory> setting =
        new Setting<>(name, none, "", "an absolute path", text -> none, Setting::pathOf);
    setting.parser =
        (text, property) -> text.startsWith("/") ? new ConfiguredDirectory(text, property) : null;
    setting.expected = text -> setting.values + ", " + absolute(text);
    return setting.ifWrong("the default directory is used", text -> none);
  }

  private static String pathOf(ConfiguredDirectory directory) {
    try {
      return directory.path();
    } catch (SecurityException e) {
      return "java.io.tmpdir"; // the plug-in stays off, and says why
    }
  }

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
    return duration(
            name,
            "",
            "a number and `us`, `ms` or `s`, such as `50ms`: above 0, up to 60 s",
            s -> s > 0 && s <= 60)
        .ifWrong(ifWrong, text -> 0.0);
  }

  /** A duration in seconds, of at least 1 ms and at most 60 s. */
  static Setting<Double> period(String name, String defaultText) {
    return duration(
        name,
        defaultText,
        "a number and `ms` or `s`, such as `50ms`: from `1ms` to `60s`",
        seconds -> seconds >= 0.001 && seconds <= 60);
  }

  private static Setting<Double> duration(
      String name, String defaultText, String values, DoublePredicate isInRange) {
    return new Setting<Double>(
        name,
        secondsOf(defaultText),
        defaultText,
        values,
        text -> isInRange.test(secondsOf(text)) ? secondsOf(text) : null,
        null);
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

  /**
   * The distinct entries of a comma-separated list, in order, without surrounding blanks. Without
   * entries, it is the default entry, or an empty list if that is empty.
   */
  static Setting<List<String>> list(String name, int max, String unit, String defaultEntry) {
    List<String> defaultList = entries(defaultEntry);
    return new Setting<List<String>>(
            name,
            defaultList,
            defaultEntry,
            "up to " + max + " " + unit,
            text -> {
              List<String> entries = entries(text);
              return entries.isEmpty() ? defaultList : entries.size() <= max ? entries : null;
            },
            entries -> String.join(",", entries))
        .ifWrong("the first " + max + " are used", text -> entries(text).subList(0, max));
  }

  /** Returns the distinct entries of a comma-separated list, in order. */
  static List<String> entries(String text) {
    Set<String> different = new LinkedHashSet<>();
    for (String entry : text.split(",", -1)) {
      if (!entry.trim().isEmpty()) {
        different.add(entry.trim());
      }
    }
    return Collections.unmodifiableList(new ArrayList<>(different));
  }
}
