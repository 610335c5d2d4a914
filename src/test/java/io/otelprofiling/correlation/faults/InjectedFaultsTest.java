/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.otelprofiling.correlation.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Promise: an error anywhere in the plug-in, such as exhausted memory, reaches neither the
 * application nor its spans, two lines at most tell of it, and the next SDK starts as usual.
 *
 * <p>{@code -Dtest.faults=all} tries all points that an application reaches, with each error.
 */
class InjectedFaultsTest {
  private static final int PER_JVM = 40; // so that each ends in time on a busy machine

  private Path directory;

  /** What became of one order. */
  private record Outcome(String outcome, String problems, String order) {}

  @BeforeEach
  void createDirectory() throws IOException {
    directory = Files.createTempDirectory(Path.of("/tmp"), "pc");
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }

  @Test
  @DisabledIfSystemProperty(
      named = "test.faults",
      matches = "all",
      disabledReason = "the other test tries these points, too")
  @DisabledIfSystemProperty(
      named = "test.emulated",
      matches = "true",
      disabledReason = "the errors are of Java, on any CPU, and the many classes take long there")
  void error_atPointsOfTheSample_harmsNothing() throws IOException {
    List<String> orders = new ArrayList<>(List.of(FaultRunner.RECORD));
    orders.addAll(SampledMethods.orders());
    List<Outcome> outcomes = run(orders);
    assertHarmless(outcomes);
    assertThat(reachedMethods(outcomes)).isEqualTo(new TreeSet<>(SampledMethods.names()));
  }

  @Test
  @DisabledIfSystemProperty(
      named = "test.faults",
      matches = "all",
      disabledReason = "the other test tries this point, too")
  @DisabledIfSystemProperty(
      named = "test.emulated",
      matches = "true",
      disabledReason = "the error is of Java, on any CPU")
  void error_afterLibraryHasPublished_leavesItToNextSdk() throws IOException {
    // Only the first application of a process loads the library.
    List<String> orders =
        SampledMethods.orders("START nativelib.NativeLibrary.load(byte[],String,String)").stream()
            .filter(order -> order.endsWith(" NativeBridge.tlsDescriptorIsStatic0"))
            .toList();
    assertThat(run(orders))
        .extracting(Outcome::outcome, Outcome::problems)
        .containsExactly(tuple(FaultRunner.OK, ""));
  }

  @Test
  @EnabledIfSystemProperty(
      named = "test.faults",
      matches = "all",
      disabledReason = "takes half an hour: -Dtest.faults=all")
  void error_atEveryPoint_harmsNothing() throws IOException {
    // A second application in a process reaches other points than the first.
    ChildJvm.Result recorded = runJvm(List.of(FaultRunner.RECORD, FaultRunner.RECORD));
    assertThat(recorded.status()).as(recorded.output()).isZero();
    List<String> points = lines(results(), "reached");
    List<Outcome> all = new ArrayList<>(outcomes(results()));
    for (ErrorKind kind : ErrorKind.values()) {
      List<String> orders =
          points.stream().map(point -> point.replaceFirst("\t", "\t" + kind + "\t")).toList();
      List<Outcome> outcomes = run(orders);
      // Points that only the first application of a process reaches.
      for (Outcome missed : outcomes) {
        all.addAll(
            missed.outcome().equals(FaultRunner.MISSED) && missed.problems().isEmpty()
                ? run(List.of(missed.order()))
                : List.of(missed));
      }
    }
    Map<String, Integer> counts = new TreeMap<>();
    all.forEach(each -> counts.merge(each.outcome(), 1, Integer::sum));
    System.out.println(points.size() + " points, errors: " + counts);
    assertHarmless(all);
  }

  private static void assertHarmless(List<Outcome> outcomes) {
    assertThat(outcomes).filteredOn(outcome -> !outcome.problems().isEmpty()).isEmpty();
  }

  private static TreeSet<String> reachedMethods(List<Outcome> outcomes) {
    TreeSet<String> methods = new TreeSet<>();
    for (Outcome outcome : outcomes) {
      if (outcome.outcome().equals(FaultRunner.OK) && !outcome.order().isEmpty()) {
        methods.add(SampledMethods.nameIn(outcome.order()));
      }
    }
    return methods;
  }

  private List<Outcome> run(List<String> orders) throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    while (outcomes.size() < orders.size()) {
      int next = outcomes.size();
      List<String> some = orders.subList(next, Math.min(next + PER_JVM, orders.size()));
      ChildJvm.Result result = runJvm(some);
      List<Outcome> found = outcomes(results());
      outcomes.addAll(found);
      if (result.status() != 0 && found.size() < some.size()) {
        // The other points are to be tried all the same.
        outcomes.add(new Outcome("crash", result.output(), some.get(found.size())));
      } else {
        assertThat(result.status()).as(result.output()).isZero();
      }
    }
    return outcomes;
  }

  private ChildJvm.Result runJvm(List<String> orders) throws IOException {
    Path file = Files.write(directory.resolve("orders"), orders);
    Path sockets = Files.createDirectories(directory.resolve("s"));
    Files.write(results(), List.of());
    return new ChildJvm()
        .jvmArgument("-XX:TieredStopAtLevel=1")
        .run(FaultRunner.class, sockets.toString(), file.toString(), results().toString());
  }

  private Path results() {
    return directory.resolve("results");
  }

  private static List<String> lines(Path results, String kind) throws IOException {
    return Files.readAllLines(results).stream()
        .filter(line -> line.startsWith(kind + "\t"))
        .map(line -> line.substring(kind.length() + 1))
        .toList();
  }

  private static List<Outcome> outcomes(Path results) throws IOException {
    return Files.readAllLines(results).stream()
        .filter(line -> !line.startsWith("reached\t"))
        .map(line -> line.split("\t", 3))
        .map(fields -> new Outcome(fields[0], fields[1], fields.length > 2 ? fields[2] : ""))
        .toList();
  }
}
