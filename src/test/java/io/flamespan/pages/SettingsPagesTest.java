/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.pages;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.Setting;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.testing.LogCapturer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Promise: the pages list every setting of the code, with its default and values. Run with {@code
 * -Drenew=true}, it writes values and defaults of the plug-in's settings, the defaults that other
 * pages name, and Spring Boot's description of the settings.
 */
class SettingsPagesTest {
  private static final String PREFIX = Settings.PREFIX;
  private static final String ELASTIC = "elastic.otel.";
  private static final String ACTUATOR =
      "{\"name\": \"management.info.flamespan.enabled\", \"type\": \"java.lang.Boolean\","
          + " \"description\": \"Whether the info endpoint shows the status of Flamespan.\","
          + " \"defaultValue\": true}";
  private static final Path PAGE = Path.of("docs/settings.md");
  private static final int MAX_DESCRIPTION = 170;
  private static final Pattern LITERAL = Pattern.compile("\"elastic\\.otel\\.([a-z.]*[a-z])\"");
  private static final Pattern SECTION =
      Pattern.compile("(?s)\nPrefix: `" + Pattern.quote(PREFIX) + ".*?(?=\n## |$)");
  private static final Pattern LINE =
      Pattern.compile("(?m)^- \\*\\*`([a-z.]+)`\\*\\* \\((.*); default (.*)\\):$");
  private static final Pattern README_ROW =
      Pattern.compile("(?m)^(\\| `([a-z.]+)` \\| )[^|]+ \\| (?=.*\\|$)");
  private static final Pattern YAML_DEFAULT =
      Pattern.compile("(?m)^( +(enabled|buffer_size): ).*$");
  private static final Pattern RANGE = Pattern.compile("1 to ([0-9]+) .*");
  private static final Pattern ENTRIES = Pattern.compile("up to (\\d+) .*");

  /** What settings.md says of a setting in one line. */
  private record Row(String property, String defaultValue, String values) {
    boolean isOfCorrelation() {
      return property.startsWith(PREFIX);
    }
  }

  private static String page(String name) throws IOException {
    return Files.readString(Path.of("docs", name));
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    String prefix = "";
    for (String line : page("settings.md").lines().toList()) {
      if (line.startsWith("Prefix: `")) {
        prefix = line.split("`")[1];
      }
      Matcher setting = LINE.matcher(line);
      if (setting.matches()) {
        String values = setting.group(2).replace("`", "");
        rows.add(new Row(prefix + setting.group(1), setting.group(3).replace("`", ""), values));
      }
    }
    return rows;
  }

  @Test
  void lines_ofThePlugIn_areThoseOfTheCode() throws IOException {
    List<String> told = new ArrayList<>();
    String expected =
        SECTION
            .matcher(Files.readString(PAGE))
            .replaceAll(
                section ->
                    Matcher.quoteReplacement(
                        LINE.matcher(section.group())
                            .replaceAll(
                                line -> {
                                  told.add(line.group(1));
                                  return Matcher.quoteReplacement(line(setting(line.group(1))));
                                })));
    assertIs(PAGE, expected);
    assertThat(told)
        .containsExactlyInAnyOrderElementsOf(Settings.all().stream().map(Setting::name).toList());
  }

  private static void assertIs(Path file, String expected) throws IOException {
    if (Boolean.getBoolean("renew")) {
      Files.writeString(file, expected);
    }
    assertThat(Files.readString(file)).as("make pages writes it").isEqualTo(expected);
  }

  private static String line(Setting<?> setting) {
    return String.format(
        "- **`%s`** (%s; default %s):", setting.name(), setting.values(), defaultOf(setting));
  }

  private static Setting<?> setting(String name) {
    return Settings.all().stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }

  private static String defaultOf(Setting<?> setting) {
    if (setting.values().equals("an absolute path")) {
      return "a private directory below `java.io.tmpdir`";
    }
    return setting.defaultText().isEmpty() ? "none" : "`" + setting.defaultText() + "`";
  }

  @Test
  void defaults_inOtherPages_areThoseOfTheCode() throws IOException {
    Path readme = Path.of("README.md");
    Matcher rows = README_ROW.matcher(Files.readString(readme));
    assertThat(rows.results()).hasSize(6);
    assertIs(readme, rows.replaceAll(row -> row.group(1) + shortDefaultOf(row.group(2)) + " | "));

    Path declarative = Path.of("docs/declarative.md");
    Matcher entries = YAML_DEFAULT.matcher(Files.readString(declarative));
    assertThat(entries.results()).hasSize(2);
    assertIs(
        declarative,
        entries.replaceAll(
            entry -> entry.group(1) + setting(entry.group(2).replace('_', '.')).defaultText()));
  }

  private static String shortDefaultOf(String name) {
    return Matcher.quoteReplacement(
        defaultOf(setting(name)).replace("a private directory below", "private, in"));
  }

  /** Editors complete and explain the settings in application.properties from this file. */
  @Test
  void springMetadata_ofAllSettings_isWhatThePageTells() throws IOException {
    Path metadata =
        Path.of(
            "spring-boot-starter/src/main/resources/META-INF/spring-configuration-metadata.json");
    String page = Files.readString(PAGE);
    String properties = Settings.all().stream().map(s -> property(s, page)).collect(joining());
    String hints =
        Settings.all().stream()
            .filter(setting -> setting.values().matches("(`\\w+`(, |$))+"))
            .filter(setting -> !setting.values().equals("`true`, `false`"))
            .map(SettingsPagesTest::hint)
            .collect(joining(",\n"));
    String expected =
        "{\"properties\": [\n" + properties + ACTUATOR + "\n], \"hints\": [\n" + hints + "\n]}\n";
    assertIs(metadata, expected);
  }

  private static String property(Setting<?> setting, String page) {
    String text = setting.defaultText();
    String type =
        text.matches("true|false") ? "Boolean" : text.matches("\\d+") ? "Integer" : "String";
    String value = type.equals("String") ? "\"" + text + "\"" : text;
    return String.format(
        "{\"name\": \"%s\", \"type\": \"java.lang.%s\", \"description\": \"%s\"%s},\n",
        setting,
        type,
        beginning(meaning(setting.name(), page)),
        text.isEmpty() ? "" : ", \"defaultValue\": " + value);
  }

  /** Returns what the page tells about a setting, without formatting. */
  private static String meaning(String name, String page) {
    String rest = page.split(Pattern.quote("\n- **`" + name + "`** (") + ".*\n", 2)[1];
    return rest.split("\n(?! )", 2)[0]
        .strip()
        .replaceAll("\\s+", " ")
        .replaceAll("\\[([^]]+)]\\([^)]+\\)", "$1")
        .replaceAll("[`*]", "")
        .replace("\"", "\\\"");
  }

  /** Returns the first sentence and those that fit behind it: editors show a line or two. */
  private static String beginning(String meaning) {
    int end = (meaning + " ").indexOf(". ") + 1;
    for (int next = end; next > 0 && next <= MAX_DESCRIPTION; ) {
      end = next;
      next = (meaning + " ").indexOf(". ", end) + 1;
    }
    return meaning.substring(0, end);
  }

  private static String hint(Setting<?> setting) {
    return Arrays.stream(setting.values().replace("`", "").split(", "))
        .map(value -> "{\"value\": \"" + value + "\"}")
        .collect(joining(", ", "{\"name\": \"" + setting + "\", \"values\": [", "]}"));
  }

  @Test
  void settings_forMovingFromElasticsAgent_areThoseOfThePage() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of("elastic/src/main/java"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        LITERAL
            .matcher(Files.readString(file))
            .results()
            .forEach(literal -> names.add(ELASTIC + literal.group(1)));
      }
    }

    assertThat(rows())
        .filteredOn(row -> !row.isOfCorrelation())
        .extracting(Row::property)
        .hasSizeGreaterThan(5)
        .containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void meaning_ofEachSetting_isToldOnce() throws IOException {
    String page = page("settings.md");
    for (Row row : rows()) {
      String prefix = row.isOfCorrelation() ? PREFIX : ELASTIC;
      String name = row.property().substring(prefix.length());
      assertThat(page).as("the meaning of " + name).containsOnlyOnce("\n- **`" + name + "`** (");
    }
  }

  @Test
  void pagesForMovingFromElasticsAgent_nameItsSettings() throws IOException {
    String elastic = page("elastic.md") + page("elastic-transport.md");
    for (Row row : rows()) {
      if (!row.isOfCorrelation()) {
        assertThat(elastic).contains(row.property());
      }
    }
  }

  @Test
  void defaults_setByHand_changeNothing() throws IOException {
    for (Row row : rows()) {
      if (row.isOfCorrelation() && !row.defaultValue().matches("none|a private .*")) {
        assertThat(read(name -> valueOf(row, name, row.defaultValue())))
            .as(row.property())
            .usingRecursiveComparison()
            .ignoringFields("enabled", "inForce", "properties")
            .isEqualTo(read(name -> null));
      }
    }
  }

  @Test
  void settingsInForce_withoutAny_areTheDefaultsOfThePage() throws IOException {
    Map<String, String> inForce = new HashMap<>(read(name -> null).inForce());
    for (Row row : rows()) {
      if (row.isOfCorrelation()) {
        String value = inForce.remove(row.property().substring(PREFIX.length()));
        String expected = row.defaultValue().replaceAll("none|,", "") + " (default)";
        if (!row.defaultValue().startsWith("a private ")) {
          assertThat(value).as(row.property()).isEqualTo(expected);
        }
      }
    }
    assertThat(inForce).isEmpty();
  }

  @Test
  void values_withinAndBeyondTheirRange_areAcceptedAndRefused() throws IOException {
    int examined = 0;
    for (Row row : rows()) {
      Matcher range = RANGE.matcher(row.values());
      Matcher entries = ENTRIES.matcher(row.values());
      if (!row.isOfCorrelation()) {
        continue;
      }
      if (range.matches()) {
        int most = Integer.parseInt(range.group(1));
        assertValues(row, List.of("1", "" + most), List.of("0", "" + (most + 1)));
        examined++;
      } else if (entries.matches()) {
        int most = Integer.parseInt(entries.group(1));
        assertValues(row, List.of(list(most)), List.of(list(most + 1)));
        examined++;
      } else if (row.values().contains("true, false")) {
        List<String> values = new ArrayList<>(List.of("auto", "true", "false"));
        List<String> accepted = List.of(row.values().split(", "));
        values.removeAll(accepted);
        values.add("maybe");
        assertValues(row, accepted, values);
        examined++;
      } else if (row.values().contains("up to 60 s")) {
        assertValues(row, List.of("1us", "50 ms", "60s"), List.of("0ms", "61s", "50", "1m"));
        examined++;
      }
    }

    assertThat(examined).isGreaterThan(10);
  }

  private static String list(int entries) {
    return IntStream.range(0, entries).mapToObj(i -> "key" + i).collect(joining(","));
  }

  private static void assertValues(Row row, List<String> accepted, List<String> refused) {
    for (String value : accepted) {
      assertThat(warningsOf(row, value)).as(row.property() + "=" + value).isEmpty();
    }
    for (String value : refused) {
      assertThat(warningsOf(row, value)).as(row.property() + "=" + value).hasSize(1);
    }
  }

  private static List<String> warningsOf(Row row, String value) {
    try (LogCapturer logs = new LogCapturer()) {
      assertThat(read(name -> valueOf(row, name, value))).isNotNull();
      return logs.warnings();
    }
  }

  private static CorrelationConfig read(UnaryOperator<String> settings) {
    return CorrelationConfig.read(settings, null);
  }

  private static String valueOf(Row row, String name, String value) {
    return name.equals(row.property()) ? value : null;
  }
}
