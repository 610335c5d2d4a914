/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Promise: every id of the doctor can be found in the pages, and a test shows each verdict of each
 * check.
 */
class DoctorPagesTest {
  private static final Path DOCTOR = Path.of("src/main/java/io/otelprofiling/doctor/internal");
  private static final Path TESTS = Path.of("src/test/java/io/otelprofiling/doctor/features");
  private static final String NO_TEST = "doctor.error";

  // The id is the first argument of the methods that add a check, and the second one of add.
  private static final Pattern ID =
      Pattern.compile(
          "\\b(ok|warning|fault|couldNotLook|notChecked|must|survives|name|add)\\("
              + "(?:[^\";]*,)?\\s*\"([a-z-]+\\.[a-z-]+)\"");
  private static final List<String> COLUMNS = List.of("ok", "wrong", "couldNotLook");
  private static final Pattern CELL = Pattern.compile("`(\\w+)\\.(\\w+)`");

  @Test
  void ids_ofAllChecks_areOnTheirPage() throws IOException {
    String page = Files.readString(Path.of("docs/troubleshooting.md"));

    assertThat(ids(DOCTOR.resolve("check"), 40).keySet())
        .allMatch(id -> page.contains("`" + id + "`"));
  }

  @Test
  void ids_ofAllRules_areOnTheirPage() throws IOException {
    String page = Files.readString(Path.of("docs/protocol-conformance.md"));

    assertThat(ids(DOCTOR.resolve("conformance"), 20).keySet())
        .allMatch(id -> page.contains("`" + id + "`"));
  }

  @Test
  void verdicts_ofAllChecks_haveATestEach() throws IOException {
    Map<String, Set<String>> checks = ids(DOCTOR.resolve("check"), 40);
    checks.remove(NO_TEST);
    String page = Files.readString(Path.of("docs/internals/doctor-verdicts.md"));
    for (Map.Entry<String, Set<String>> check : checks.entrySet()) {
      String id = check.getKey();
      String row =
          page.lines().filter(l -> l.startsWith("| `" + id + "` |")).findFirst().orElse("");
      String[] cells = row.split("\\|");
      assertThat(cells).as("the row of " + id).hasSize(2 + COLUMNS.size());
      for (int i = 0; i < COLUMNS.size(); i++) {
        Matcher test = CELL.matcher(cells[i + 2]);
        if (test.find()) {
          assertIsShown(id, test.group(1), test.group(2));
        } else {
          assertThat(check.getValue()).as("no test for " + id).doesNotContain(COLUMNS.get(i));
        }
      }
    }
    assertThat(page.lines().filter(line -> line.matches("\\| `[a-z-]+\\.[a-z-]+` .*")))
        .as("rows, compared with the existing checks")
        .hasSize(checks.size());
  }

  private static void assertIsShown(String id, String type, String test) throws IOException {
    String source = Files.readString(TESTS.resolve(type + ".java"));

    assertThat(source).contains("  void " + test + "(").contains("\"" + id + "\"");
  }

  /** Returns the verdicts that each check can have. */
  private static Map<String, Set<String>> ids(Path directory, int atLeast) throws IOException {
    Map<String, Set<String>> ids = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Matcher matcher = ID.matcher(Files.readString(file));
        while (matcher.find()) {
          String verdict = matcher.group(1).replaceFirst("warning|fault|add", "wrong");
          ids.computeIfAbsent(matcher.group(2), id -> new TreeSet<>()).add(verdict);
        }
      }
    }
    assertThat(ids).hasSizeGreaterThanOrEqualTo(atLeast);
    return ids;
  }
}
