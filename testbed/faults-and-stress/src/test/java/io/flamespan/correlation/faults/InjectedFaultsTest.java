/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.ElasticJar;
import io.flamespan.correlation.testing.NotInEmulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: an error anywhere in the plug-in, such as exhausted memory, reaches neither the
 * application nor its spans. At most two lines report it, and the next SDK starts as usual. Three
 * errors in a row, at a third of the sampled points, cause no more lines.
 *
 * <p>{@code -Dtest.faults=all} tries all points that an application reaches, with each error.
 */
class InjectedFaultsTest {
  private static final int PER_JVM = 40; // so that each JVM finishes in time on a busy machine

  private final AtomicInteger jvms = new AtomicInteger();
  @TempDir Path directory;
  private int inARow = 1; // errors at one point
  private int mostLines = 2; // log lines

  /** The result of one order. */
  private record Outcome(String outcome, String problems, String order) {}

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @DisabledIfSystemProperty(
      named = "test.faults",
      matches = "all",
      disabledReason = "the other test covers these points")
  @NotInEmulation("the errors do not depend on the CPU, and emulation makes it slow")
  void errors_atPointsOfTheSample_harmNothing(int times) throws Exception {
    inARow = times;
    mostLines = 1 + times; // several parts of the plug-in reach some of these points
    List<String> orders = new ArrayList<>(List.of(FaultRunner.RECORD));
    orders.addAll(SampledMethods.orders(times)); // three errors at a third of the points
    List<Outcome> outcomes = runInParallel(List.of(), orders, PER_JVM);
    assertHarmless(outcomes);
    if (times == 1) {
      assertThat(reachedMethods(outcomes)).isEqualTo(new TreeSet<>(SampledMethods.names()));
    } else {
      assertThat(reachedMethods(outcomes))
          .hasSizeGreaterThan(SampledMethods.names().size() * 3 / 4);
    }
  }

  @Test
  @DisabledIfSystemProperty(
      named = "test.faults",
      matches = "all",
      disabledReason = "the other test covers this point")
  @NotInEmulation("the error does not depend on the CPU")
  void error_afterLibraryHasPublished_nextSdkCanUseIt() throws IOException {
    // Only the first application of a process loads the library.
    List<String> orders =
        SampledMethods.orders("START nativelib.NativeLibrary.load(byte[],ConfiguredDirectory)")
            .stream()
            .filter(order -> order.endsWith(" NativeBridge.tlsDescriptorIsStatic0"))
            .toList();
    assertThat(run(orders))
        .extracting(Outcome::outcome, Outcome::problems)
        .containsExactly(tuple(FaultRunner.OK, ""));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @EnabledIfSystemProperty(
      named = "test.faults",
      matches = "all",
      disabledReason = "takes half an hour: -Dtest.faults=all")
  void errors_atEveryPoint_harmNothing(int times) throws Exception {
    inARow = times;
    mostLines = 1 + times; // several parts of the plug-in reach some of these points
    Pattern chosen = Pattern.compile(System.getProperty("test.faults.points", ""));
    // A second application in a process reaches other points than the first.
    Jvm recorded = new Jvm(List.of(FaultRunner.RECORD, FaultRunner.RECORD));
    assertThat(recorded.status()).as(recorded.output()).isZero();
    List<String> points =
        recorded.lines("reached").stream().filter(point -> chosen.matcher(point).find()).toList();
    List<Outcome> all = new ArrayList<>(recorded.outcomes());
    for (ErrorKind kind : ErrorKind.values()) {
      List<String> orders =
          points.stream().map(point -> point.replaceFirst("\t", "\t" + kind + "\t")).toList();
      // Some points are reached only by the first application of a process, others only by later
      // ones.
      List<String> missed = new ArrayList<>();
      for (Outcome outcome : runInParallel(List.of(FaultRunner.RECORD), orders, PER_JVM - 1)) {
        if (outcome.outcome().equals(FaultRunner.MISSED) && outcome.problems().isEmpty()) {
          missed.add(outcome.order());
        } else {
          all.add(outcome);
        }
      }
      all.addAll(runInParallel(List.of(), missed, 1));
    }
    Map<String, Integer> counts = new TreeMap<>();
    for (Outcome outcome : all) {
      if (!outcome.order().isEmpty()) {
        counts.merge(outcome.outcome(), 1, Integer::sum);
      }
    }
    System.out.println(points.size() + " points, " + times + " in a row, errors: " + counts);
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

  private List<Outcome> runInParallel(List<String> before, List<String> orders, int perJvm)
      throws Exception {
    ExecutorService jvms = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Future<List<Outcome>>> parts = new ArrayList<>();
      for (int i = 0; i < orders.size(); i += perJvm) {
        List<String> part = new ArrayList<>(before);
        part.addAll(orders.subList(i, Math.min(i + perJvm, orders.size())));
        parts.add(jvms.submit(() -> run(part)));
      }
      List<Outcome> outcomes = new ArrayList<>();
      for (Future<List<Outcome>> part : parts) {
        outcomes.addAll(part.get());
      }
      return outcomes;
    } finally {
      jvms.shutdownNow();
    }
  }

  private List<Outcome> run(List<String> orders) throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    while (outcomes.size() < orders.size()) {
      int next = outcomes.size();
      List<String> some = orders.subList(next, Math.min(next + PER_JVM, orders.size()));
      Jvm jvm = new Jvm(some);
      List<Outcome> found = jvm.outcomes();
      outcomes.addAll(found);
      if (jvm.status() != 0 && found.size() < some.size()) {
        // The remaining points must still be tried.
        outcomes.add(new Outcome("crash", jvm.output(), some.get(found.size())));
      } else {
        assertThat(jvm.status()).as(jvm.output()).isZero();
      }
    }
    return outcomes;
  }

  /** A JVM that has executed some orders. */
  private final class Jvm {
    private final ChildJvm.Result result;
    private final List<String> lines;

    Jvm(List<String> orders) throws IOException {
      Path own = Files.createDirectory(directory.resolve("" + jvms.getAndIncrement()));
      Path file = Files.write(own.resolve("orders"), orders);
      Path results = Files.createFile(own.resolve("results"));
      Path sockets = Files.createDirectory(own.resolve("s"));
      result =
          new ChildJvm()
              .firstOnClassPath(ElasticJar.path())
              .jvmArgument(ChildJvm.BRIEF)
              .property("test.faults.times", String.valueOf(inARow))
              .property("test.faults.lines", String.valueOf(mostLines))
              .run(FaultRunner.class, sockets.toString(), file.toString(), results.toString());
      lines = Files.readAllLines(results);
    }

    int status() {
      return result.status();
    }

    String output() {
      return result.output();
    }

    List<String> lines(String kind) {
      return lines.stream()
          .filter(line -> line.startsWith(kind + "\t"))
          .map(line -> line.substring(kind.length() + 1))
          .toList();
    }

    List<Outcome> outcomes() {
      return lines.stream()
          .filter(line -> !line.startsWith("reached\t"))
          .map(line -> line.split("\t", 3))
          .map(fields -> new Outcome(fields[0], fields[1], fields.length > 2 ? fields[2] : ""))
          .toList();
    }
  }
}
