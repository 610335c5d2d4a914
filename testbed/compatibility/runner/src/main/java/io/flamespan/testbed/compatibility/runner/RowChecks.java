/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.runner;

import io.flamespan.testbed.harness.Checks;
import io.flamespan.testbed.harness.Counts;
import io.flamespan.testbed.harness.ProfiledRun;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks the expected results of a row after its run. */
final class RowChecks {
  private static final String IS_ON = "Flamespan is on";

  /** Matches the plug-in's warnings in the log formats of the frameworks. */
  private static final Pattern WARNING = Pattern.compile("\\bWARN(ING)?\\b");

  private static final Pattern OURS =
      Pattern.compile("io\\.flamespan\\.|i\\.f\\.c\\.i|\\b(Flamespan|Profilers?) ");

  private final Row row;
  private final ProfiledRun<Clients.Visit> run;
  private final Checks checks;

  RowChecks(Row row, ProfiledRun<Clients.Visit> run) {
    this.row = row;
    this.run = run;
    checks = new Checks(run);
  }

  /** Returns how many checks failed. */
  int check() {
    allSpansArrive();
    if (row.expected() == Row.Expected.OFF) {
      pluginIsOff();
    } else {
      checks.pluginIsOn(row.expected() == Row.Expected.RESTARTED ? 2 : 1);
      noOtherTraceIsShown();
    }
    if (row.expected().works()) {
      servedTracesAreShown();
      sentIsReceived();
      scopeArrives();
    }
    warnings();
    return checks.conclude();
  }

  /** Returns the summary of the run for the table. */
  String figures() {
    return String.format(
        "%d requests; of %d samples, %d showed the served span, %d correctly no trace, %d no trace,"
            + " %d another; %d ids",
        run.visit().traces().size(),
        count("expected"),
        count("expected_shown"),
        count("expected_none"),
        count("expected_missing"),
        count("expected_other"),
        run.traces().correlations().total());
  }

  private void allSpansArrive() {
    Set<String> missing = new HashSet<>(run.visit().traces());
    missing.removeAll(run.traces().traceIds());
    checks.check(
        missing.isEmpty(),
        "%d requests, %d spans, %d requests whose local root span did not arrive",
        run.visit().traces().size(),
        run.traces().spans().size(),
        missing.size());
  }

  private void pluginIsOff() {
    int on = run.log().with(IS_ON).size();
    int ids = run.traces().correlations().total();
    checks.check(on == 0 && ids == 0, "%d log lines say: %s; %d ids on spans", on, IS_ON, ids);
  }

  private void noOtherTraceIsShown() {
    int judged = count("expected");
    int other = count("expected_other");
    int otherContexts = count("otel_expected_other");
    checks.check(
        judged > 0 && other == 0 && otherContexts == 0,
        "of %d samples, %d records and %d thread contexts showed a trace that the thread did not"
            + " serve",
        judged,
        other,
        otherContexts);
  }

  /** The clients continue until there are enough samples, so this also holds on a busy machine. */
  private void servedTracesAreShown() {
    int shown = count("expected_shown");
    int missing = count("expected_missing");
    int missingContexts = count("otel_expected_missing");
    checks.check(
        shown >= ShownSamples.ENOUGH && missing == 0 && missingContexts == 0,
        "%d samples showed the span that was served, at least %d are needed; %d records and %d"
            + " thread contexts showed no trace where one was served",
        shown,
        ShownSamples.ENOUGH,
        missing,
        missingContexts);
  }

  /** Checks that each message became an id on the span that it was meant for, after the warm-up. */
  private void sentIsReceived() {
    Counts sent = judged(run.profiler().sent());
    Counts received = judged(run.traces().correlations());
    Counts missing = sent.without(received);
    Counts unexpected = received.without(sent);
    checks.check(
        missing.total() == 0 && unexpected.total() == 0 && received.total() > 0,
        "%d correlation messages sent, %d ids on spans: %d missing, %d unexpected",
        sent.total(),
        received.total(),
        missing.total(),
        unexpected.total());
  }

  /**
   * Leaves out requests of the warm-up, during which the plug-in may not have noticed the profiler
   * yet.
   */
  private Counts judged(Counts all) {
    Counts judged = new Counts();
    for (String message : all.byFrequency()) {
      if (!run.visit().warmUp().contains(message.substring(0, message.indexOf(' ')))) {
        for (int i = 0; i < all.get(message); i++) {
          judged.add(message);
        }
      }
    }
    return judged;
  }

  /** Checks that spans of another instrumentation arrive, if the row names a scope. */
  private void scopeArrives() {
    if (!row.sees().isEmpty()) {
      long spans =
          run.traces().all().stream()
              .filter(span -> span.scope().getName().equals(row.sees()))
              .count();
      checks.check(spans > 0, "%d spans of the scope %s", spans, row.sees());
    }
  }

  private void warnings() {
    List<String> warnings =
        run.log().with(WARNING).stream().filter(line -> OURS.matcher(line).find()).toList();
    if (row.expected().works()) {
      checks.check(warnings.isEmpty(), "%d warnings of the plug-in", warnings.size());
    } else {
      long told = warnings.stream().filter(line -> line.contains(row.sees())).count();
      checks.check(
          warnings.size() == 1 && told == 1,
          "%d warnings of the plug-in, %d with: %s",
          warnings.size(),
          told,
          row.sees());
    }
    jvmWarnings();
  }

  /** The JVM's warnings about native access are separate log lines, which name our classes. */
  private void jvmWarnings() {
    List<String> lines = run.log().with("restricted method");
    checks.check(
        row.expected() == Row.Expected.OFF || lines.isEmpty(),
        "%d warnings of the JVM about native access",
        lines.size());
  }

  private int count(String name) {
    String value = run.profiler().summary(name);
    return value.equals("none") ? 0 : Integer.parseInt(value);
  }
}
