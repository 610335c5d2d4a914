/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.util.List;
import java.util.Map;

/** Soak's output at the end, for docs/internals/evidence/reliability.md. */
final class SoakTable {
  private static final long PLATFORM_THREADS_AN_HOUR = 100_000;
  private static final long VIRTUAL_THREADS_AN_HOUR = 10_000_000;

  /** Prints a process when it has ended. */
  static void printProcess(SoakResult result) {
    System.out.println(
        result.kind()
            + (' ' + result.collector() + ", " + result.seconds() + " s: ")
            + (result.problems().isEmpty() ? "passed" : "FAILED " + result.problems())
            + (" " + result.last() + ", grown " + result.grown()));
  }

  /** Prints all results. Returns whether there were no problems. */
  static boolean print(SoakOptions options, List<SoakResult> results) {
    System.out.println();
    System.out.println(
        "| kind of threads | collector | time | number of threads | spans | lost, twice | messages |"
            + " on spans | records, torn, foreign | disturbances | growth of RSS, heap, mappings | result |");
    System.out.println("|" + " --- |".repeat(12));
    results.forEach(SoakTable::row);
    SoakResult sum = SoakResult.sum(results);
    row(sum);
    System.out.println();
    System.out.println("Disturbances: " + sum.disturbances());
    System.out.println("Counters: " + sum.last());
    System.out.println("Log lines by kind:");
    sum.logged().forEach((kind, lines) -> System.out.println("  " + lines + " " + kind));
    goal(results, "platform", PLATFORM_THREADS_AN_HOUR, options.seconds());
    goal(results, "virtual", VIRTUAL_THREADS_AN_HOUR, options.seconds());
    if (Debugger.failed() > 0) {
      System.out.println(Debugger.failed() + " visits of a debugger failed");
    }
    if (results.stream().anyMatch(each -> each.grown().isEmpty())) {
      System.out.println("LEFT OUT: growth, which needs processes of five minutes: MINUTES=30");
    }
    options.leftOut().forEach(reason -> System.out.println("LEFT OUT: " + reason));
    boolean passed = true;
    for (SoakResult each : results) {
      for (String problem : each.problems()) {
        System.out.println("FAILED: " + each.kind() + ' ' + each.collector() + ": " + problem);
        passed = false;
      }
    }
    System.out.println(
        (passed ? "passed" : "FAILED, see " + options.directory()) + ", seed " + options.seed());
    return passed;
  }

  private static void row(SoakResult each) {
    System.out.printf(
        "| %s | %s | %d s | %,d | %,d | %d, %d | %,d | %,d | %,d, %d, %d | %,d | %s | %s |%n",
        each.kind(),
        each.collector(),
        each.seconds(),
        each.number("threads"),
        each.number("spans.arrived"),
        each.number("spans.lost"),
        each.number("spans.twice"),
        each.number("sent"),
        each.number("attached"),
        each.number("records"),
        each.number("torn"),
        each.number("foreign"),
        each.disturbed(),
        growth(each.grown()),
        each.problems().isEmpty() ? "passed" : "FAILED");
  }

  private static String growth(Map<String, Long> grown) {
    return grown.isEmpty()
        ? ""
        : String.format(
            "%d MB, %d MB, %d",
            grown.getOrDefault("resident", 0L) / 1024,
            grown.getOrDefault("heap", 0L) / 1024,
            grown.getOrDefault("mappings", 0L));
  }

  /** A slow or busy machine may miss the goal, which is not a failure of the plug-in. */
  private static void goal(List<SoakResult> results, String kind, long anHour, long seconds) {
    long threads =
        results.stream()
            .filter(each -> each.kind().equals(kind))
            .mapToLong(each -> each.number("threads"))
            .sum();
    long wanted = anHour * seconds / 3600;
    System.out.printf(
        "%,d %s threads, %s the goal of %,d%n",
        threads, kind, threads < wanted ? "BELOW" : "above", wanted);
  }

  private SoakTable() {}
}
