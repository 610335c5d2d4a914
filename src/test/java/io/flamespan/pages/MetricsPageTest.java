/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.pages;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Promise: the page of the metrics has each metric of the code, and no page has another. */
class MetricsPageTest {
  private static final Pattern TOLD = Pattern.compile("profiling\\.correlation\\.([a-z_.]*[a-z])");
  private static final Pattern NAME =
      Pattern.compile(
          "(?:\\.as\\(\\s*|PREFIX \\+ )\"([a-z_.]+)\"|\"profiling\\.correlation\\.([a-z_.]+)\"");

  @Test
  void metrics_ofTheCode_areThoseOfThePage() throws IOException {
    Set<String> created = new TreeSet<>();
    for (String file :
        new String[] {
          "src/main/java/io/flamespan/correlation/internal/telemetry/Counts.java",
          "src/main/java/io/flamespan/correlation/internal/telemetry/SampleMetric.java",
          "embedded/src/main/java/io/flamespan/embedded/amounts/AmountMetrics.java"
        }) {
      NAME.matcher(Files.readString(Path.of(file)))
          .results()
          .forEach(found -> created.add(found.group(found.group(1) == null ? 2 : 1)));
    }

    Set<String> told =
        TOLD.matcher(Files.readString(Path.of("docs/metrics.md")))
            .results()
            .map(found -> found.group(1))
            .collect(toCollection(TreeSet::new));
    assertThat(told).isEqualTo(created);
    for (Path page : Pages.all()) {
      TOLD.matcher(Files.readString(page))
          .results()
          .forEach(found -> assertThat(created).as(page.toString()).contains(found.group(1)));
    }
  }
}
