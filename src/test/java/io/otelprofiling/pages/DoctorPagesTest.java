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
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Promise: every rule of the doctor's conformance is on its page, and the doctor stays small. */
class DoctorPagesTest {
  private static final Path DOCTOR = Path.of("doctor/src/main/java/io/otelprofiling/doctor");
  private static final int MAX_LINES = 500;

  // The id is the first argument of the methods that add a rule.
  private static final Pattern ID =
      Pattern.compile("\\b(?:must|survives|name|notChecked)\\(\\s*\"([a-z-]+\\.[a-z-]+)\"");

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  @Test
  void ids_ofAllRules_areOnTheirPage() throws IOException {
    String page = Files.readString(Path.of("docs/protocol-conformance.md"));
    Set<String> ids = new TreeSet<>();
    for (Path file : files(DOCTOR.resolve("internal/conformance"))) {
      Matcher matcher = ID.matcher(Files.readString(file));
      while (matcher.find()) {
        ids.add(matcher.group(1));
      }
    }

    assertThat(ids).hasSizeGreaterThanOrEqualTo(20).allMatch(id -> page.contains("`" + id + "`"));
  }

  @Test
  void files_ofTheDoctor_areShort() throws IOException {
    for (Path file : files(DOCTOR)) {
      assertThat(Files.readAllLines(file)).as("" + file).hasSizeLessThanOrEqualTo(MAX_LINES);
    }
  }
}
