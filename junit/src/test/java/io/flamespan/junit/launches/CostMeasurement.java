/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.launches;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What profiles cost, printed for the page: JVMs with and without take turns. {@code mvn -f pom.xml
 * surefire:test@launches -Dtest=CostMeasurement}, after {@code mvn verify}.
 */
class CostMeasurement {
  private static final int TURNS = Integer.getInteger("test.turns", 5);
  private static final Pattern CPU_MICROS = Pattern.compile("(\\d+) us of CPU");

  @TempDir private Path project;

  @ParameterizedTest
  @ValueSource(strings = {"Small", "Working"})
  void tests_withAndWithoutProfiles_takeTurns(String tests) throws Exception {
    List<Double> ofTests = new ArrayList<>();
    List<Double> ofProcess = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      List<Double> without = cpuMicros(tests, "false");
      List<Double> with = cpuMicros(tests, "true");
      ofTests.add(with.get(2) / without.get(2));
      ofProcess.add((with.get(3) - without.get(3)) / 1e6);
    }
    Collections.sort(ofTests);
    Collections.sort(ofProcess);
    System.out.printf(
        "%s: CPU time of a second run times %s; of the JVM plus %s s%n", tests, ofTests, ofProcess);
    assertThat(ofTests).hasSize(TURNS);
  }

  private List<Double> cpuMicros(String tests, String isEnabled) throws Exception {
    String output =
        new TestJvm(project, "log")
            .with("-Dflamespan.junit.enabled=" + isEnabled)
            .run(tests, tests, tests);
    Matcher matcher = CPU_MICROS.matcher(output);
    List<Double> micros = new ArrayList<>();
    while (matcher.find()) {
      micros.add(Double.valueOf(matcher.group(1)));
    }
    assertThat(micros).as(output).hasSize(4);
    return micros;
  }
}
