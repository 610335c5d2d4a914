/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The rows of single operations, each with the best and the worst of many forks. A fork is a JVM
 * for one row in one mode. The modes alternate, so that the machine's other load affects all alike.
 */
final class OperationRows {
  private static final String[][] ROWS = {
    {"rootAndChild", "a: make current and close a root, inside it a child (4 switches)"},
    {"sameSpan", "b: make current and close a context with the same span"},
    {"childInRoot", "c: make current and close one child in a current root"},
    {"childOfAnotherTrace", "c2: the same, but the child is of another trace than the root"},
    {"droppedRoot", "d: start and end an unsampled (dropped) root"},
    {"droppedRootWithItsName", "d2: the same, while an embedded profiler wants its name"},
    {"sampledRoot", "e: start and end a sampled root, delayed by 1 ms and exported"},
    {"sampledRootIntoFullQueue", "e with a full queue: the same, delayed by 1 s"},
    {"trace", "f: a trace of a root and four children, each made current"},
    {"childOfNextTrace", "g1: 64 live traces take turns: make current and close a child"},
    {"rootAndChildOfNextTrace", "g2: the same with a root, and inside it the child"},
  };

  private static final int FORKS = Integer.getInteger("bench.forks", 20);
  private static final boolean CPU_TIME = Boolean.getBoolean("bench.cpu-time");

  private OperationRows() {}

  /** Returns the table's lines for all benchmarks whose names contain a match. */
  static List<String> measure(Pattern chosen) throws RunnerException {
    List<String> lines = new ArrayList<>();
    lines.add(
        (CPU_TIME ? "| ns of CPU time" : "| ns")
            + " per operation, best to worst of "
            + FORKS
            + " forks | mode | SDK alone | with the plug-in | plug-in adds | worst / best | bytes |");
    lines.add("| --- | --- | --- | --- | --- | --- | --- |");
    for (String[] row : ROWS) {
      if (chosen.matcher(row[0]).find()) {
        Map<String, Forks> measured = measure(row[0]);
        Forks alone = measured.remove(BenchmarkedApp.ABSENT);
        measured.forEach((mode, with) -> lines.add(line(row[1], mode, alone, with)));
      }
    }
    return lines;
  }

  private static List<String> modes() {
    List<String> modes = new ArrayList<>(List.of(BenchmarkedApp.ABSENT, "true"));
    Arrays.stream(System.getProperty("bench.modes", "").split(","))
        .filter(mode -> !mode.isBlank() && !modes.contains(mode))
        .forEach(modes::add);
    return modes;
  }

  private static Map<String, Forks> measure(String benchmark) throws RunnerException {
    Map<String, Forks> measured = new LinkedHashMap<>();
    List<String> modes = modes();
    modes.forEach(mode -> measured.put(mode, new Forks()));
    for (int fork = 1; fork <= FORKS; fork++) {
      for (String mode : modes) {
        RunResult result = runFork(benchmark, mode);
        double wall = result.getPrimaryResult().getStatistics().getPercentile(50);
        double cpu = secondary(result, WorkerCpuTime.NAME).getStatistics().getPercentile(50);
        double bytes = secondary(result, "gc.alloc.rate.norm").getScore();
        measured.get(mode).add(CPU_TIME ? cpu : wall, bytes);
        System.out.printf(
            Locale.ROOT,
            "%s, %s, fork %d: %.1f ns, %.1f ns of CPU time, %.0f B%n",
            benchmark,
            mode,
            fork,
            wall,
            cpu,
            bytes);
      }
      Collections.reverse(modes); // so that no mode always runs after the same one
    }
    return measured;
  }

  private static RunResult runFork(String benchmark, String mode) throws RunnerException {
    return new Runner(
            new OptionsBuilder()
                .include("\\." + benchmark + "$")
                .param("mode", mode)
                .jvmArgsPrepend("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch")
                .addProfiler(GCProfiler.class)
                .addProfiler(CompiledFirst.class)
                .addProfiler(WorkerCpuTime.class)
                .forks(1)
                .warmupIterations(5)
                .warmupTime(TimeValue.milliseconds(300))
                .measurementIterations(9)
                .measurementTime(TimeValue.milliseconds(70))
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build())
        .runSingle();
  }

  @SuppressWarnings("rawtypes") // JMH returns raw types
  private static Result secondary(RunResult result, String name) {
    return result.getSecondaryResults().entrySet().stream()
        .filter(entry -> entry.getKey().endsWith(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow();
  }

  private static String line(String row, String mode, Forks alone, Forks with) {
    return String.format(
        Locale.ROOT,
        "| %s | `%s` | %.1f to %.1f | %.1f to %.1f | %+.1f to %+.1f | %.2f | %.0f, %+.0f to %+.0f |",
        row,
        mode,
        alone.bestNanos(),
        alone.worstNanos(),
        with.bestNanos(),
        with.worstNanos(),
        with.bestNanos() - alone.bestNanos(),
        with.worstNanos() - alone.worstNanos(),
        with.worstNanos() / with.bestNanos(),
        alone.leastBytes(),
        with.leastBytes() - alone.leastBytes(),
        with.mostBytes() - alone.leastBytes());
  }

  private static final class Forks {
    private final List<Double> nanos = new ArrayList<>();
    private final List<Double> bytes = new ArrayList<>();

    void add(double nanosOfFork, double bytesOfFork) {
      nanos.add(nanosOfFork);
      bytes.add(bytesOfFork);
    }

    double bestNanos() {
      return Collections.min(nanos);
    }

    double worstNanos() {
      return Collections.max(nanos);
    }

    double leastBytes() {
      return Collections.min(bytes);
    }

    double mostBytes() {
      return Collections.max(bytes);
    }
  }
}
