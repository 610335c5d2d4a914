/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Promise: every rule of the doctor's conformance is on its page, and the doctor stays small. */
class DoctorPagesTest {
  private static final Path DOCTOR = Path.of("doctor/src/main/java/io/flamespan/doctor");
  private static final Path RULES =
      Path.of("doctor/src/main/resources/io/flamespan/doctor/internal/check", "rules.txt");
  private static final int MAX_LINES = 500;

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  @Test
  void ids_ofAllRules_areOnTheirPage() throws IOException {
    String page = Files.readString(Path.of("docs/internals/conformance.md"));
    List<String> ids =
        Files.readAllLines(RULES).stream()
            .filter(line -> line.matches("[a-z].*"))
            .map(line -> line.substring(0, line.indexOf(' ')))
            .toList();

    assertThat(ids).hasSizeGreaterThanOrEqualTo(20).allMatch(id -> page.contains("`" + id + "`"));
  }

  @Test
  void files_ofTheDoctor_areShort() throws IOException {
    for (Path file : files(DOCTOR)) {
      assertThat(Files.readAllLines(file)).as("" + file).hasSizeLessThanOrEqualTo(MAX_LINES);
    }
  }
}
