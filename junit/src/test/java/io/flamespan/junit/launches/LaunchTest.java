/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.launches;

import static io.flamespan.junit.launches.Results.attribute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: one dependency and one setting make a profile of each test, and change no test. */
class LaunchTest {
  private static final String ON = "-Dflamespan.junit.enabled=true";
  private static final String PERIOD = "-Dflamespan.embedded.profiler.period=10ms";
  private static final String WAITS = "-Dtest.waits=true";
  private static final String CASES = "io.flamespan.junit.cases.";

  @TempDir private Path project;

  private TestJvm jvm() {
    return new TestJvm(project, "log");
  }

  @Test
  void tests_ofEachKind_haveSpansWithTheirSamples() throws Exception {
    Files.createFile(project.resolve("pom.xml"));
    TestJvm jvm =
        jvm()
            .with(ON, PERIOD, WAITS)
            .with( // what the tests have for a plug-in of their own
                "-Dflamespan.enabled=false",
                "-Delastic.otel.universal.profiling.integration.enabled=false",
                "-Dflamespan.embedded.profiler=off",
                "-Dflamespan.embedded.profiler.directory=" + project.resolve("other"),
                "-Dotel.profiles.exporter=otlp");
    Process process = jvm.start("Kinds");
    Path files = project.toRealPath().resolve("target/flamespan");
    awaitResults(files, this::assertKinds);
    String output = jvm.outputOf(process);

    assertThat(output).contains("Kinds: 8 passed, 1 failed, 1 aborted, 1 skipped");
    assertThat(TestJvm.warnings(output)).isEmpty();
    assertThat(output).doesNotContain("INFO: ");
    assertThat(project.resolve("other")).doesNotExist();
    assertThat(output)
        .containsOnlyOnce("A profile of each test is in " + files + "; java -jar flamespan-page-");
  }

  /** Samples arrive about once a second, or later if the machine is busy. */
  private static void awaitResults(Path files, Consumer<Results> check) {
    await()
        .atMost(1, TimeUnit.MINUTES)
        .ignoreExceptionsInstanceOf(IOException.class)
        .untilAsserted(() -> check.accept(new Results(files)));
  }

  private void assertKinds(Results results) {
    String kinds = CASES + "Kinds";
    assertThat(results.names())
        .containsEntry(kinds + ".burns", 1)
        .containsEntry(kinds + ".fails", 1)
        .containsEntry(kinds + ".aborts", 1)
        .containsEntry(kinds + ".repeats", 2)
        .containsEntry(kinds + ".makes even", 1)
        .containsEntry(kinds + ".makes odd three", 1)
        .containsEntry(kinds + "$Inner.burnsInside", 1)
        .doesNotContainKey(kinds + ".skipped");
    assertThat(results.names().keySet())
        .filteredOn(name -> name.startsWith(kinds + ".buys[1] "))
        .singleElement()
        .asString()
        .contains("apples");
    assertThat(results.spans).allMatch(span -> span.getParentSpanId().isEmpty());
    Span failed = results.span(kinds + ".fails");
    assertThat(failed.getStatus().getCode()).isEqualTo(Status.StatusCode.STATUS_CODE_ERROR);
    assertThat(attribute(failed, "test.case.result.status")).isEqualTo("fail");
    assertThat(attribute(failed, "test.case.name")).isEqualTo(kinds + ".fails");
    assertThat(attribute(failed, "test.suite.name")).isEqualTo(kinds);
    assertThat(attribute(failed, "error.type")).isEqualTo("org.opentest4j.AssertionFailedError");
    assertThat(attribute(results.span(kinds + ".burns"), "test.case.result.status"))
        .isEqualTo("pass");
    assertThat(attribute(results.span(kinds + ".aborts"), "test.case.result.status")).isEmpty();
    assertThat(cpuSeconds(results.span(kinds + ".burns"))).isBetween(0.25, 0.5);
    assertSamples(results, "Kinds.burns", kinds + ".burns");
    assertSamples(results, "Kinds.burnsBefore", kinds);
    assertSamples(results, "Kinds$Inner.burnsInside", kinds + "$Inner.burnsInside");
    assertThat(results.samplesIn("Kinds.burnsForPears"))
        .hasSize(1)
        .allSatisfy((name, count) -> assertThat(name).startsWith(kinds + ".buys[2] "));
  }

  private static double cpuSeconds(Span span) {
    return span.getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals("thread.cpu.time"))
        .mapToDouble(attribute -> attribute.getValue().getDoubleValue())
        .findFirst()
        .orElseThrow();
  }

  private static void assertSamples(Results results, String method, String span) {
    Map<String, Integer> samples = results.samplesIn(method);
    int all = samples.values().stream().mapToInt(Integer::intValue).sum();
    assertThat(all).as("samples in %s", method).isGreaterThanOrEqualTo(10);
    assertThat(samples.getOrDefault(span, 0))
        .as("samples in %s: %s", method, samples)
        .isGreaterThanOrEqualTo(all * 9 / 10);
  }

  /** As in two forks of a build tool. Each class is a plan of its own. */
  @Test
  void processes_atOnce_haveFilesOfTheirOwnAndParallelTestsTheirSamples() throws Exception {
    Files.createDirectories(project.resolve("build"));
    TestJvm parallel =
        new TestJvm(project, "parallel")
            .with(ON, PERIOD, WAITS)
            .with(
                "-Djunit.jupiter.execution.parallel.enabled=true",
                "-Djunit.jupiter.execution.parallel.config.strategy=fixed",
                "-Djunit.jupiter.execution.parallel.config.fixed.parallelism=3");
    TestJvm other = new TestJvm(project, "other").with(ON, PERIOD, WAITS).withOpenTelemetry();
    Process first = parallel.start("Parallel", "Parallel");
    Process second = other.start("Telemetry", "Parallel");
    Path files = project.resolve("build/flamespan");
    awaitResults(files, this::assertParallel);
    String output = other.outputOf(second);
    String ofFirst = parallel.outputOf(first);

    assertThat(ofFirst).contains("Parallel: 4 passed, 0 failed");
    assertThat(TestJvm.warnings(ofFirst)).isEmpty();
    assertThat(output).contains("Telemetry: 2 passed, 0 failed", "Parallel: 4 passed, 0 failed");
    assertThat(TestJvm.warnings(output)).isEmpty();
    try (Stream<Path> processes = Files.list(files)) {
      assertThat(processes).hasSize(2);
    }
  }

  private void assertParallel(Results results) {
    for (String method : List.of("burnsFirst", "burnsSecond", "burnsThird", "burnsFourth")) {
      assertThat(results.names()).containsEntry(CASES + "Parallel." + method, 3);
      assertSamples(results, "Parallel." + method, CASES + "Parallel." + method);
    }
    String telemetry = CASES + "Telemetry.";
    assertSamples(
        results, "Telemetry.burnsInASpan", telemetry + "spans_ofATest_areRootsOfTheirTraces");
    assertSamples(results, "Telemetry.burnsAfterAReset", telemetry + "burnsAfterAReset");
  }

  @Test
  void test_thatEndsTheJvm_hasItsSpan() throws Exception {
    jvm().with(ON, PERIOD).run("Ends");

    Results results = new Results(project.resolve("target/flamespan"));
    assertThat(results.names()).containsOnlyKeys(CASES + "Ends", CASES + "Ends.burnsAndExits");
  }

  @Test
  void tests_underTheJavaAgent_haveTheirSamples() throws Exception {
    String output = jvm().with(ON, PERIOD).withJavaAgent().run("Kinds");

    assertThat(output).contains("Kinds: 8 passed, 1 failed");
    assertThat(TestJvm.warnings(output)).isEmpty();
    Results results = new Results(project.resolve("target/flamespan"));
    assertSamples(results, "Kinds.burns", CASES + "Kinds.burns");
  }

  @Test
  void tests_withoutTheSetting_loadAndStartNothing() throws Exception {
    String output = jvm().with("-Xlog:class+load:file=classes").run("Quick");

    assertThat(output).contains("Quick: 2 passed, 0 failed");
    List<String> classes = Files.readAllLines(project.resolve("classes"));
    assertThat(classes)
        .filteredOn(line -> line.contains("] io.flamespan.") && !line.contains(".cases."))
        .isNotEmpty()
        .allMatch(
            line ->
                line.matches(".*\\.junit\\.internal\\.(ProfilingTestListener|TestSettings)\\b.*"));
    assertThat(classes).noneMatch(line -> line.contains("] io.opentelemetry."));
    assertThat(output.lines().filter(line -> line.startsWith("threads: ")))
        .singleElement()
        .asString()
        .doesNotContain("flamespan");
    assertThat(project.resolve("target")).doesNotExist();
  }

  /** What the start of a JVM would cost more, by what it would load: CPU time depends on others. */
  @Test
  void tests_withTheSetting_loadWhatTheProfilerNeeds() throws Exception {
    String output = jvm().with(ON, "-Xlog:class+load:file=classes").run("Quick");

    assertThat(output).contains("Quick: 2 passed, 0 failed", "Flamespan: A profile of each test");
    List<String> classes = Files.readAllLines(project.resolve("classes"));
    assertThat(classes)
        .filteredOn(line -> line.contains("] io.opentelemetry.") && !line.contains("Lambda"))
        .isNotEmpty()
        .allMatch(line -> line.matches(".* source: jar:file:/.*[.]jar!/isolated/"));
    assertThat(classes)
        .noneMatch(
            line ->
                line.matches(
                    ".*\\] java\\.(util\\.logging\\.SimpleFormatter|text\\.MessageFormat).*"))
        .noneMatch(line -> line.contains("] io.flamespan.correlation.internal.publication.P"));
    assertThat(classes.stream().filter(line -> line.contains("] io.")).count()).isLessThan(750);
  }

  @Test
  void profiler_thatCannotRun_isOneLineAndTestsGoOn() throws Exception {
    String output = jvm().with(ON, "-Done.profiler.extractPath=/dev/null/x").run("Quick");

    assertThat(output).contains("Quick: 2 passed, 0 failed").doesNotContain("A profile of");
    assertThat(TestJvm.warnings(output))
        .singleElement()
        .asString()
        .contains("The embedded profiler is off: ", "/dev/null/x");
    assertThat(project.resolve("target")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dev/null/x", "/proc"})
  void directory_thatCannotBeWritten_isOneLineAndTestsGoOn(String directory) throws Exception {
    String output =
        jvm().with(ON, "-Dflamespan.junit.directory=" + directory).run("Quick", "Quick");

    assertThat(output).contains("Quick: 2 passed, 0 failed").doesNotContain("A profile of");
    assertThat(TestJvm.warnings(output))
        .singleElement()
        .asString()
        .contains("Spans or profiles were not written to " + directory);
  }

  @Test
  void tests_withNamesLikeThoseOfOthers_haveTheNamesOfReports() throws Exception {
    jvm().with(ON).run("Named");

    String named = CASES + "Named";
    assertThat(new Results(project.resolve("target/flamespan")).names())
        .containsEntry(named + ".burns", 1)
        .containsEntry(named + ".repeats", 2)
        .containsEntry(named + "$Shop apples.buys", 1)
        .containsEntry(named + "$Shop pears.buys", 1);
  }

  @Test
  void setting_thatIsWrong_isOneLineAndTestsGoOn() throws Exception {
    Path parameters = Files.createDirectory(project.resolve("parameters"));
    Files.writeString(
        parameters.resolve("junit-platform.properties"), "flamespan.junit.enabled = yes");
    String output = jvm().with("-Xbootclasspath/a:" + parameters).run("Quick", "Quick");

    assertThat(output).contains("Quick: 2 passed, 0 failed");
    assertThat(TestJvm.warnings(output))
        .containsExactly(
            "WARNING: Wrong value 'yes' of flamespan.junit.enabled: expected true or false; tests"
                + " are not profiled.");
  }
}
