/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Promise: whoever searches the pages for an id of the doctor finds it. */
class DoctorPagesTest {
  private static final Path DOCTOR =
      Path.of("src/main/java/io/otelprofiling/correlation/internal/doctor");

  // The id is the first argument of whatever adds a check.
  private static final Pattern ID =
      Pattern.compile(
          "\\b(?:ok|warning|fault|notChecked|must|survives|name)\\(\\s*\"([a-z-]+\\.[a-z-]+)\"");

  @Test
  void ids_ofAllChecks_areOnTheirPage() throws IOException {
    String page = Files.readString(Path.of("docs/troubleshooting.md"));

    assertThat(ids(DOCTOR.resolve("check"), 30)).allMatch(id -> page.contains("`" + id + "`"));
  }

  @Test
  void ids_ofAllRules_areOnTheirPage() throws IOException {
    String page = Files.readString(Path.of("docs/protocol-conformance.md"));

    assertThat(ids(DOCTOR.resolve("conformance"), 20))
        .allMatch(id -> page.contains("`" + id + "`"));
  }

  private static Set<String> ids(Path directory, int atLeast) throws IOException {
    Set<String> ids = new TreeSet<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Matcher matcher = ID.matcher(Files.readString(file));
        while (matcher.find()) {
          ids.add(matcher.group(1));
        }
      }
    }
    assertThat(ids).hasSizeGreaterThanOrEqualTo(atLeast);
    return ids;
  }
}
