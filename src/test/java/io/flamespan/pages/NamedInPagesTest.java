/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Promise: every test, constant, table row or log line that a page names exists. */
class NamedInPagesTest {
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");
  private static final Pattern METHOD = Pattern.compile("`([a-z]\\w*_\\w+_\\w+)`");

  /** The names of rows, and what follows: a description, versions in parentheses, a result. */
  private static final Pattern ITEM = Pattern.compile("(?m)^- (`[^:(]*)(.*(?:\\n  .*)*)");

  private static final Pattern ROW = Pattern.compile("`([a-z][a-z0-9-]*)`");
  private static final Map<String, String> RESULTS =
      Map.of(
          "works", "works",
          "restarted", "works, restarted",
          "none", "shows none",
          "off", "off",
          "not-run", "not run");
  private static final Pattern LOG_LINE = Pattern.compile("\"([^\"]{4,80})\"");
  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern CONSTANT = Pattern.compile("`([A-Z]\\w+)\\.([A-Z][A-Z_]+)`");

  @Test
  void tests_namedInThePages_exist() throws IOException {
    Map<String, String> sources = sources();
    List<String> missing = new ArrayList<>();
    int named = 0;
    for (Path page : Pages.all()) {
      Matcher test = TEST.matcher(Files.readString(page));
      for (; test.find(); named++) {
        String source = sources.get(test.group(1));
        String method = test.group(2);
        if (source == null || (method != null && !source.contains(" " + method + "("))) {
          missing.add(page + " " + test.group());
        }
      }
    }

    assertThat(missing).isEmpty();
    assertThat(named).isGreaterThan(20);
  }

  @Test
  void methodsAndConstants_namedByTheThreatModel_exist() throws IOException {
    Map<String, String> sources = sources();
    String page = Files.readString(Path.of("docs/internals/threat-model.md"));

    Matcher method = METHOD.matcher(page);
    assertThat(method.results()).isNotEmpty();
    method.reset();
    while (method.find()) {
      String declaration = "void " + method.group(1) + "(";
      assertThat(sources.values()).as(declaration).anyMatch(text -> text.contains(declaration));
    }
    Matcher constant = CONSTANT.matcher(page);
    assertThat(constant.results()).isNotEmpty();
    constant.reset();
    while (constant.find()) {
      assertThat(sources.get(constant.group(1)))
          .as(constant.group())
          .contains(" " + constant.group(2) + " = ");
    }
  }

  @Test
  void logLines_quotedByTheTroubleshootingPage_exist() throws IOException {
    String code = JOINED.matcher(code()).replaceAll("");
    Matcher quote = LOG_LINE.matcher(Pages.prose(Path.of("docs/troubleshooting.md")));
    int quoted = 0;
    for (; quote.find(); quoted++) {
      assertThat(quote.group(1).replace('\n', ' ').split(" … "))
          .as("parts of a log line")
          .allMatch(code::contains);
    }
    assertThat(quoted).isPositive();
  }

  @Test
  void compatibilityPage_rows_matchTheMatrixAndItsResults() throws IOException {
    Map<String, String> matrix = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("testbed/compatibility/matrix.tsv"))) {
      if (!line.startsWith("#")) {
        String[] columns = line.split("\t+");
        matrix.put(columns[0], RESULTS.get(columns[2]));
      }
    }
    Map<String, String> page = new TreeMap<>();
    Matcher item =
        ITEM.matcher(Files.readString(Path.of("docs/internals/evidence/compatibility.md")));
    while (item.find()) {
      String[] result = item.group(2).replace("**", "").split("\\):\\s", 2);
      ROW.matcher(item.group(1))
          .results()
          .forEach(name -> page.put(name.group(1), result.length == 1 ? "works" : result[1]));
    }

    assertThat(page).containsOnlyKeys(matrix.keySet()).hasSizeGreaterThan(40);
    matrix.forEach((row, result) -> assertThat(page.get(row)).as(row).contains(result));
  }

  /** Returns what is published. */
  private static String code() throws IOException {
    StringBuilder code = new StringBuilder();
    for (Path folder : Pages.artifacts()) {
      try (Stream<Path> files = Files.walk(folder.resolve("src/main/java"))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          code.append(Files.readString(file));
        }
      }
    }
    return code.toString();
  }

  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    List<Path> roots =
        new ArrayList<>(
            List.of(
                Path.of("examples"),
                Path.of("testbed/benchmarks/src"),
                Path.of("testbed/faults-and-stress/src"),
                Path.of("testbed/soak/src")));
    Pages.artifacts().forEach(folder -> roots.add(folder.resolve("src")));
    for (Path root : roots) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          String name = file.getFileName().toString().replace(".java", "");
          sources.merge(name, Files.readString(file), String::concat);
        }
      }
    }
    return sources;
  }
}
