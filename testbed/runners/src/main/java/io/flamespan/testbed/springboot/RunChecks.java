/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.springboot;

import static io.flamespan.testbed.springboot.SpringBootExample.BUSY;
import static io.flamespan.testbed.springboot.SpringBootExample.IDLE;
import static io.flamespan.testbed.springboot.SpringBootExample.OF_EACH;

import io.flamespan.testbed.harness.ApplicationLog;
import io.flamespan.testbed.harness.Checks;
import io.flamespan.testbed.harness.ProfiledRun;
import io.flamespan.testbed.harness.ReceivedTraces;
import io.flamespan.testbed.harness.StandInOutput;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.List;
import java.util.regex.Pattern;

/** The checks after a run of the shop, for each way to start it. */
final class RunChecks {
  private static final String IS_ON = "Flamespan is on: mode=true";
  private static final String REMEDY = "ProfilingCorrelation.registerContextStorage()";

  /** Matches any warning, because the application does not log warnings. */
  private static final Pattern WARNING = Pattern.compile("\\s(WARN|ERROR)\\s|WARNING:");

  private final Start start;
  private final List<String> answers;
  private final ReceivedTraces traces;
  private final StandInOutput profiler;
  private final ApplicationLog log;
  private final Checks checks;

  RunChecks(Start start, ProfiledRun<List<String>> run) {
    this.start = start;
    answers = run.visit();
    traces = run.traces();
    profiler = run.profiler();
    log = run.log();
    checks = new Checks(run);
  }

  /** Returns the number of failed checks. */
  int run() {
    propertiesArrive();
    everyRequestIsOneServerSpan();
    requestsRunOnTheThreadsThatWereAskedFor();
    if (start == Start.EARLY_CONTEXT) {
      nothingIsShown();
      oneWarningNamesTheRemedy();
    } else {
      checks.sentIsReceived();
      checks.onlyLocalRootsHaveIds();
      samplesFollowWork();
      nobodyWarns();
    }
    return checks.conclude();
  }

  private void propertiesArrive() {
    String service = profiler.summary("service_name");
    int lines = log.with(IS_ON).size();
    checks.check(
        lines == 1 && service.equals("spring-shop"),
        "%d log line \"%s\"; the profiler read from memory: service %s",
        lines,
        IS_ON,
        service);
  }

  private void everyRequestIsOneServerSpan() {
    int busy = traces.serverSpans(BUSY).size();
    int idle = traces.serverSpans(IDLE).size();
    checks.check(
        busy == OF_EACH && idle == OF_EACH,
        "%d requests answered; server spans: %d of %s, %d of %s",
        answers.size(),
        busy,
        BUSY,
        idle,
        IDLE);
  }

  private void requestsRunOnTheThreadsThatWereAskedFor() {
    boolean virtual = start == Start.VIRTUAL_THREADS;
    long onVirtual = answers.stream().filter(a -> a.startsWith("VirtualThread[")).count();
    checks.check(
        onVirtual == (virtual ? answers.size() : 0),
        "%d of %d requests ran on virtual threads",
        onVirtual,
        answers.size());
  }

  private void samplesFollowWork() {
    List<Span> busySpans = traces.serverSpans(BUSY);
    long with = busySpans.stream().filter(ReceivedTraces::hasStackTraceIds).count();
    int busy = samples(busySpans);
    int idle = samples(traces.serverSpans(IDLE));
    // If CPUs are scarce, the stand-in may not run for a while, and then sends nothing.
    int expected = OF_EACH * 2 / 3;
    // Receiving, tracing and answering its requests still takes some CPU time.
    int tolerated = Math.max(10, busy / 5);
    checks.check(
        with >= expected && idle <= tolerated,
        "%d of %d server spans of %s have ids (at least %d), %d in total; those of %s have %d (at"
            + " most %d)",
        with,
        busySpans.size(),
        BUSY,
        expected,
        busy,
        IDLE,
        idle,
        tolerated);
  }

  private static int samples(List<Span> spans) {
    return spans.stream().mapToInt(span -> ReceivedTraces.stackTraceIds(span).size()).sum();
  }

  private void nothingIsShown() {
    long with = traces.spans().stream().filter(ReceivedTraces::hasStackTraceIds).count();
    checks.check(
        with == 0 && profiler.sent().total() == 0,
        "as expected in this case, no span has ids: %d of %d, and %d messages were sent",
        with,
        traces.spans().size(),
        profiler.sent().total());
  }

  private void oneWarningNamesTheRemedy() {
    List<String> warnings = log.with(WARNING);
    checks.check(
        warnings.size() == 1 && warnings.get(0).contains(REMEDY),
        "%d warning, %d of them with the remedy, %s",
        warnings.size(),
        log.with(REMEDY).size(),
        REMEDY);
  }

  private void nobodyWarns() {
    int warnings = log.with(WARNING).size();
    checks.check(warnings == 0, "%d warnings in the log", warnings);
  }
}
