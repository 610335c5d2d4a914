/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.beside;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs applications with the plug-in and with the SDK alone, one after the other, and prints how
 * spans left. Fails where the plug-in loses a span that the SDK alone exports, sends more than 1.2
 * times the requests, or makes flushes slower than promised.
 *
 * <p>Arguments: the plug-in's jar, a directory of libraries with the SDK, and a regular expression
 * of scenarios.
 */
public final class BesideSdk {
  static final String PREFIX = "flamespan.";

  private static final int SLICES = 8;
  private static final int SLICE_MILLIS = 600;
  private static final int ATTEMPTS = 3;
  private static final Pattern REFUSED = Pattern.compile("could not be executed");
  private static final String FORMAT = "%-28s %-6s %8s %8s %8s %8s %8s %9s %8s %8s  %s%n";

  private final Path plugin;
  private final String libraries;
  private int failed;

  private BesideSdk(Path plugin, String libraries) {
    this.plugin = plugin;
    this.libraries = libraries;
  }

  public static void main(String[] arguments) throws Exception {
    BesideSdk besideSdk = new BesideSdk(Path.of(arguments[0]), arguments[1]);
    Pattern selected = Pattern.compile(arguments[2]);
    System.out.println(arguments[0] + " beside " + Path.of(arguments[1]).getFileName());
    System.out.printf(
        FORMAT,
        "scenario",
        "mode",
        "ended",
        "exported",
        "lost",
        "requests",
        "with ids",
        "flushes/s",
        "early",
        "close ms",
        "");
    for (Scenario scenario : Scenario.all()) {
      if (selected.matcher(scenario.name()).matches()
          && scenario.text("processor").equals("declarative")
              == arguments[1].endsWith("declarative")) {
        besideSdk.compare(scenario);
      }
    }
    System.out.println(besideSdk.failed == 0 ? "ok" : besideSdk.failed + " failed");
    System.exit(besideSdk.failed == 0 ? 0 : 1);
  }

  private void compare(Scenario scenario) throws Exception {
    List<Run> runs = new ArrayList<>();
    try {
      if (scenario.text("load").equals("flush")) {
        runs.add(start(scenario, Run.ALONE));
        for (String mode : scenario.text("modes").split(",")) {
          runs.add(start(scenario, mode));
        }
        takeTurns(runs);
      } else {
        runs.add(run(scenario, Run.ALONE));
        for (String mode : scenario.text("modes").split(",")) {
          runs.add(run(scenario, mode));
        }
      }
      for (Run run : runs) {
        print(scenario, runs.get(0), run);
      }
    } finally {
      runs.forEach(Run::close);
    }
  }

  private Run start(Scenario scenario, String mode) throws Exception {
    Run run = new Run(scenario, mode, libraries, plugin);
    run.awaitReady();
    return run;
  }

  /**
   * The SDK's HTTP sender refuses the sixth request at a time, which is what a machine that stands
   * still for a moment gives it. What loses spans systematically does so in each attempt.
   */
  private Run run(Scenario scenario, String mode) throws Exception {
    Run run = start(scenario, mode);
    run.finish();
    for (int i = 1; i < ATTEMPTS && run.log().stream().anyMatch(REFUSED.asPredicate()); i++) {
      run.close();
      run = start(scenario, mode);
      run.finish();
    }
    return run;
  }

  /** In short turns, so that whatever else the machine does hits all alike. */
  private static void takeTurns(List<Run> runs) throws Exception {
    for (int i = 0; i < SLICES; i++) {
      for (Run run : runs) {
        run.slice(SLICE_MILLIS);
      }
    }
    for (Run run : runs) {
      run.finish();
    }
  }

  private static List<String> problems(Scenario scenario, Run alone, Run run) {
    List<String> problems = new ArrayList<>();
    boolean flushes = scenario.text("load").equals("flush");
    if (lost(run) > Math.max(lost(alone), scenario.number("lost"))) {
      problems.add("LOST " + (lost(run) - lost(alone)));
    }
    double atMost = 1.2 * alone.get("requests") * run.get("exported") / alone.get("exported") + 2;
    if (!flushes && run.get("requests") > atMost) {
      problems.add("REQUESTS");
    }
    if (flushes && ratio(run, alone) < (run.mode().equals("auto") ? 0.9 : 0.5)) {
      problems.add("SLOW");
    }
    if (scenario.has("early") && run.get("early") != 0) {
      problems.add("EARLY");
    }
    if (scenario.has("sampled") && run.get("withIds") < run.get("roots")) {
      problems.add("IDS");
    }
    if (run.get("failed") + alone.get("failed") != 0) {
      problems.add("NOT ENDED");
    }
    if (run.get("twice") != 0) {
      problems.add("TWICE " + run.get("twice"));
    }
    if (run.get("open") > alone.get("open") + scenario.number("rate")) {
      problems.add("OPEN " + run.get("open"));
    }
    if (run.get("flushed") < alone.get("flushed")) {
      problems.add("NOT FLUSHED");
    }
    return problems;
  }

  private static double ratio(Run run, Run alone) {
    return (double) run.get("flushes") / alone.get("flushes");
  }

  private static long lost(Run run) {
    return run.get("ended") - run.get("exported");
  }

  private void print(Scenario scenario, Run alone, Run run) {
    List<String> problems = run == alone ? List.of() : problems(scenario, alone, run);
    failed += problems.isEmpty() ? 0 : 1;
    List<String> remarks = new ArrayList<>();
    if (!problems.isEmpty()) {
      remarks.add("FAILED: " + String.join(", ", problems));
    }
    if (scenario.text("load").equals("flush") && run != alone) {
      remarks.add(String.format("%.2f times", ratio(run, alone)));
    }
    remarks.addAll(run.log());
    System.out.printf(
        FORMAT,
        scenario.name(),
        run.mode(),
        run.get("ended"),
        run.get("exported"),
        lost(run),
        run.get("requests"),
        scenario.has("sampled") ? percent(run.get("withIds"), run.get("roots")) : "",
        run.get("flushes") * 1_000 / (SLICES * SLICE_MILLIS),
        run == alone ? "" : run.get("early"),
        run.closeMillis(),
        String.join("; ", remarks));
  }

  private static String percent(long part, long whole) {
    return whole == 0 ? "" : String.format("%.1f %%", 100.0 * part / whole);
  }
}
