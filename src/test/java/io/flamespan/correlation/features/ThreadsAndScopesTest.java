/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flamespan.correlation.apps.ScenariosApp;
import io.flamespan.correlation.scenarios.Scenario;
import io.flamespan.correlation.scenarios.Stage;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.ThreadKind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Promise: whatever an application does with threads and scopes, a profiler sees for each platform
 * or virtual thread the span that is current on it in OpenTelemetry.
 */
class ThreadsAndScopesTest {
  private static CorrelatedSdk app;

  @BeforeAll
  static void start() {
    app = CorrelatedSdk.start(CorrelatedSdk.PREFIX + "enabled", "auto");
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  private static Stream<Arguments> scenarios() {
    return Stream.of(ThreadKind.values())
        .flatMap(kind -> Scenario.all(kind).stream().map(each -> Arguments.of(each, kind)));
  }

  @ParameterizedTest(name = "{0}, on {1} threads")
  @MethodSource("scenarios")
  void scenario_anyThreads_showWhatIsCurrent(Scenario scenario, ThreadKind kind) throws Exception {
    assumeTrue(kind.exists(), "virtual threads need Java 21");
    scenario.run(app, kind);
  }

  @ParameterizedTest(name = "{0} threads")
  @EnumSource(ThreadKind.class)
  void scenarios_strictContextStorage_showWhatIsCurrent(ThreadKind kind) {
    assertThat(playAll(kind, Stage.STRICT))
        .anyMatch(line -> line.startsWith("storage: ") && line.contains("StrictContextStorage"));
  }

  @ParameterizedTest(name = "{0} threads")
  @EnumSource(ThreadKind.class)
  void scenarios_recordsWrittenAsOnJava8_showWhatIsCurrent(ThreadKind kind) {
    assertThat(playAll(kind, "io.flamespan.correlation.java8Fence"))
        .noneMatch(line -> line.startsWith("failed: "));
  }

  /** Plays all scenarios in a JVM with this property. Returns its output. */
  private static List<String> playAll(ThreadKind kind, String systemProperty) {
    assumeTrue(kind.exists(), "virtual threads need Java 21");
    ChildJvm.Result result =
        new ChildJvm()
            .property(systemProperty, "true")
            .run(ScenariosApp.class, kind.name())
            .succeeded();
    assertThat(result.output().lines())
        .containsAll(Scenario.all(kind).stream().map(ScenariosApp::okLine).toList());
    return result.output().lines().toList();
  }
}
