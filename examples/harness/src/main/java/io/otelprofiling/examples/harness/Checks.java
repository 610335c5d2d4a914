/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.harness;

import io.otelprofiling.examples.harness.OtlpReceiver.ReceivedSpan;
import java.io.PrintStream;

/** What must hold after a run, each printed with the numbers it was judged by. */
public final class Checks {

  private final ReceivedTraces traces;
  private final StandInOutput profiler;
  private final PrintStream out;
  private int failed;

  /** The output is where the checks are printed to. */
  public Checks(ReceivedTraces traces, StandInOutput profiler, PrintStream out) {
    this.traces = traces;
    this.profiler = profiler;
    this.out = out;
  }

  /** How many checks failed so far. */
  public int failed() {
    return failed;
  }

  /** Every message of the profiler is an id on the span that it was meant for. */
  public void sentIsReceived() {
    Counts received = traces.correlations();
    Counts missing = profiler.sent().without(received);
    Counts unexpected = received.without(profiler.sent());
    check(
        missing.total() == 0 && unexpected.total() == 0 && received.total() > 0,
        "%d correlation messages sent, %d ids on spans: %d missing, %d unexpected",
        profiler.sent().total(),
        received.total(),
        missing.total(),
        unexpected.total());
    missing.byFrequency().stream().limit(3).forEach(id -> out.println("          missing " + id));
    unexpected.byFrequency().stream()
        .limit(3)
        .forEach(id -> out.println("          unexpected " + id));
  }

  /** Spans within a transaction carry none. */
  public void onlyLocalRootsHaveIds() {
    long with = traces.spans().stream().filter(ReceivedTraces::hasStackTraceIds).count();
    long inner = traces.spans().stream().filter(span -> !ReceivedTraces.isLocalRoot(span)).count();
    long innerWith =
        traces.spans().stream()
            .filter(ReceivedTraces::hasStackTraceIds)
            .filter(span -> !ReceivedTraces.isLocalRoot(span))
            .count();
    check(
        with > 0 && inner > 0 && innerWith == 0,
        "%d of %d spans carry ids, %d of the %d that are not local roots",
        with,
        traces.spans().size(),
        innerWith,
        inner);
  }

  /** Spans with ids have the profiler's. */
  public void hostIdIsAdded() {
    long with = 0;
    long wrong = 0;
    for (ReceivedSpan received : traces.all()) {
      if (ReceivedTraces.hasStackTraceIds(received.span())) {
        with++;
        boolean right =
            received.resource().getAttributesList().stream()
                .filter(attribute -> attribute.getKey().equals("host.id"))
                .anyMatch(a -> a.getValue().getStringValue().equals(ProfiledApplication.HOST_ID));
        wrong += right ? 0 : 1;
      }
    }
    check(wrong == 0 && with > 0, "%d spans with ids, %d of them without host.id", with, wrong);
  }

  /** Prints a text with its numbers, and whether that is as it has to be. */
  public void check(boolean holds, String text, Object... numbers) {
    failed += holds ? 0 : 1;
    out.printf("%-8s  %s%n", holds ? "ok" : "FAILED", String.format(text, numbers));
  }
}
