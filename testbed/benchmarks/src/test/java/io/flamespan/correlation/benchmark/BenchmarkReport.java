/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.resources.Resource;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs all benchmarks and the load program, and writes a page of tables with what the plug-in adds
 * to the SDK. Both sides are measured in the same run. Arguments: the page, and optionally a
 * regular expression that selects benchmarks and figures.
 */
public final class BenchmarkReport {
  private static final String[][] ON_BUSY_CPUS = {
    {"rootAndChildOnTwoThreads", "a on two threads at once"},
    {"sampledRootOnBusyCpus", "e while other threads keep all CPUs busy"},
    {"traceOnBusyCpus", "f while other threads keep all CPUs busy"},
  };

  private static final int[] MORE_THREADS = {1, 2, 8, 64};

  private final Pattern chosen;
  private final List<String> page = new ArrayList<>();

  private BenchmarkReport(Pattern chosen) {
    this.chosen = chosen;
  }

  public static void main(String[] arguments) throws Exception {
    String regex = arguments.length > 1 ? arguments[1] : "";
    BenchmarkReport report = new BenchmarkReport(Pattern.compile(regex));
    report.write(Paths.get(arguments[0]));
    System.exit(0); // does not wait for threads that a benchmark may have left behind
  }

  private void write(Path file) throws Exception {
    page.add("# What the plug-in costs");
    page.add("");
    page.add(machine());
    page.add(
        "Written by `make bench`; every figure of a row comes from the same run. Each fork of the first"
            + " table is a JVM for one row and one mode, which has served requests of an application"
            + " before it is measured; its figure is the median of its iterations. The plug-in adds the"
            + " difference between the best forks, and that between the worst. Bytes are those of the SDK"
            + " alone, and what the plug-in adds in its forks. Times of the other tables are those of"
            + " the best iteration, because other work on a machine only ever adds to them.");
    addRows();
    addBusyCpus();
    addVirtualThreads();
    addThreads();
    addLiveRoots();
    addOneTraceId();
    addLoad();
    addServers();
    addStartUp();
    addMemory();
    dropEmptyTables();
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, page);
    page.forEach(System.out::println);
  }

  /** Drops tables whose benchmarks were not selected: they contain only their two header lines. */
  private void dropEmptyTables() {
    for (int i = page.size() - 1; i > 0; i--) {
      boolean header = page.get(i).startsWith("| ---");
      if (header && (i + 1 == page.size() || page.get(i + 1).isEmpty())) {
        page.subList(i - 2, i + 1).clear();
        i -= 2;
      }
    }
  }

  private static String machine() throws IOException {
    String cpu =
        Files.readAllLines(Paths.get("/proc/cpuinfo")).stream()
            .filter(line -> line.startsWith("model name"))
            .findFirst()
            .map(line -> line.substring(line.indexOf(':') + 1).trim())
            .orElse(System.getProperty("os.arch"));
    return String.format(
        "%s, OpenTelemetry %s, Java %s, Linux %s, %d CPUs (%s).",
        LocalDate.now(),
        Resource.getDefault().getAttribute(AttributeKey.stringKey("telemetry.sdk.version")),
        Runtime.version(),
        System.getProperty("os.version"),
        Runtime.getRuntime().availableProcessors(),
        cpu);
  }

  private static ChainedOptionsBuilder options(String benchmark) {
    return new OptionsBuilder()
        .include("\\." + benchmark + "$")
        .addProfiler(GCProfiler.class)
        .warmupTime(TimeValue.seconds(1))
        .measurementIterations(10)
        .measurementTime(TimeValue.milliseconds(300))
        .shouldFailOnError(true);
  }

  private void addRows() throws Exception {
    page.add("");
    page.addAll(OperationRows.measure(chosen));
  }

  private void addBusyCpus() throws Exception {
    page.add("");
    page.add("| where threads take all CPUs, in wall time | SDK alone | plug-in adds |");
    page.add("| --- | --- | --- |");
    for (String[] row : ON_BUSY_CPUS) {
      if (chosen.matcher(row[0]).find()) {
        Collection<RunResult> results =
            new Runner(options(row[0]).param("mode", BenchmarkedApp.ABSENT, "true").build()).run();
        page.add(
            String.format("| %s | %s | %s |", row[1], absolute(results), added(results, "true")));
      }
    }
  }

  private void addVirtualThreads() throws Exception {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("childInRootOnVirtualThread", "c: make current and close one child in a current root");
    rows.put("otherTraceInRootOnVirtualThread", "c2: the same, but the child is of another trace");
    rows.keySet().removeIf(benchmark -> !chosen.matcher(benchmark).find());
    if (rows.isEmpty()) {
      return;
    }
    page.add("");
    page.add("| on a virtual thread | SDK alone | plug-in adds | where they are not shown |");
    page.add("| --- | --- | --- | --- |");
    if (Runtime.version().feature() < 21) {
      page.add("| not measured | virtual threads need Java 21 | | |");
      return;
    }
    for (Map.Entry<String, String> row : rows.entrySet()) {
      Collection<RunResult> results = new Runner(options(row.getKey()).build()).run();
      page.add(
          String.format(
              "| %s | %s | %s | %s |",
              row.getValue(), absolute(results), added(results, "true"), added(results, "false")));
    }
  }

  private void addThreads() throws Exception {
    page.add("");
    page.add("| row a with more threads, in wall time | SDK alone | plug-in adds |");
    page.add("| --- | --- | --- |");
    for (int threads : MORE_THREADS) {
      if (chosen.matcher("threads-" + threads).find()) {
        Collection<RunResult> results =
            new Runner(
                    options("rootAndChild")
                        .param("mode", BenchmarkedApp.ABSENT, "true")
                        .threads(threads)
                        .forks(1)
                        .build())
                .run();
        page.add(
            String.format(
                "| %d threads on %d CPUs | %s | %s |",
                threads,
                Runtime.getRuntime().availableProcessors(),
                absolute(results),
                added(results, "true")));
      }
    }
  }

  private void addLiveRoots() throws Exception {
    page.add("");
    page.add("| start, make current, close and end a root | SDK alone | plug-in adds |");
    page.add("| --- | --- | --- |");
    for (String live : new String[] {"10", "1000", "100000"}) {
      if (chosen.matcher("live-" + live).find()) {
        Collection<RunResult> results =
            new Runner(options("currentRootAmongOthers").param("liveRoots", live).build()).run();
        page.add(
            String.format(
                "| while %s others are alive | %s | %s |",
                live, absolute(results), added(results, "true")));
      }
    }
  }

  private void addOneTraceId() throws Exception {
    page.add("");
    page.add("| a request while 8,000 others are alive | SDK alone | plug-in adds |");
    page.add("| --- | --- | --- |");
    for (String traceIds : new String[] {"many", "one"}) {
      if (chosen.matcher("traceids-" + traceIds).find()) {
        Collection<RunResult> results =
            new Runner(options("requestAmongOthers").param("traceIds", traceIds).build()).run();
        page.add(
            String.format(
                "| trace ids of all: %s | %s | %s |",
                traceIds, absolute(results), added(results, "true")));
      }
    }
  }

  private void addLoad() throws Exception {
    page.add("");
    page.add("| figure | measured | |");
    page.add("| --- | --- | --- |");
    PrintStream progress = System.out;
    LoadProgram.measure(
        chosen,
        figure -> {
          progress.println(figure);
          page.add(
              String.format("| %s | %s | %s |", figure.id(), figure.amount(), figure.detail()));
        });
  }

  private void addServers() throws Exception {
    page.add("");
    page.addAll(ServerLoad.HEADER);
    for (MeasuredServer.Application application : MeasuredServer.Application.values()) {
      page.addAll(ServerLoad.measure(application, chosen));
    }
    page.addAll(ServerLoad.measureEmbedded(chosen));
  }

  private void addStartUp() throws Exception {
    page.add("");
    page.add("| start, median (best) of 7 | plug-in | wall time | CPU time | classes |");
    page.add("| --- | --- | --- | --- | --- |");
    for (StartUp.Application application : StartUp.Application.values()) {
      if (chosen.matcher("start-" + application.name().toLowerCase(Locale.ROOT)).find()) {
        page.addAll(StartUp.measure(application));
      }
    }
  }

  private void addMemory() throws Exception {
    page.add("");
    page.addAll(MemoryUse.HEADER);
    for (MemoryUse.Phase phase : MemoryUse.Phase.values()) {
      if (chosen.matcher("memory-" + phase.name().toLowerCase(Locale.ROOT)).find()) {
        page.addAll(MemoryUse.measure(phase));
      }
    }
  }

  private static String absolute(Collection<RunResult> results) {
    RunResult absent = of(results, BenchmarkedApp.ABSENT);
    return String.format(Locale.ROOT, "%.1f ns, %.0f B", nanos(absent), bytes(absent));
  }

  private static String added(Collection<RunResult> results, String mode) {
    RunResult absent = of(results, BenchmarkedApp.ABSENT);
    RunResult with = of(results, mode);
    return String.format(
        Locale.ROOT,
        "%+.1f ns (%.2f times), %+.0f B",
        nanos(with) - nanos(absent),
        nanos(with) / nanos(absent),
        bytes(with) - bytes(absent));
  }

  private static RunResult of(Collection<RunResult> results, String mode) {
    return results.stream()
        .filter(result -> result.getParams().getParam("mode").equals(mode))
        .findFirst()
        .orElseThrow();
  }

  private static double nanos(RunResult result) {
    return result.getPrimaryResult().getStatistics().getMin();
  }

  @SuppressWarnings("rawtypes") // JMH returns raw types
  private static double bytes(RunResult result) {
    double bytes = Double.NaN;
    for (Map.Entry<String, Result> entry : result.getSecondaryResults().entrySet()) {
      if (entry.getKey().endsWith("gc.alloc.rate.norm")) {
        bytes = entry.getValue().getScore();
      }
    }
    return bytes;
  }
}
