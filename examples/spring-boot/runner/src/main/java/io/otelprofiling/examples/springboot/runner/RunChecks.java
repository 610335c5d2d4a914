/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.springboot.runner;

import io.opentelemetry.proto.trace.v1.Span;
import io.otelprofiling.examples.harness.Checks;
import io.otelprofiling.examples.harness.ReceivedTraces;
import io.otelprofiling.examples.harness.StandInOutput;
import java.util.List;

/** What must hold after the shop was started in one of the ways. */
final class RunChecks {
  private static final String IS_ON = "Profiling correlation is on: mode true";
  private static final String REMEDY = "ProfilingCorrelation.registerContextStorage()";

  private final Start start;
  private final List<Answer> answers;
  private final ReceivedTraces traces;
  private final StandInOutput profiler;
  private final ApplicationLog log;
  private final Checks checks;

  RunChecks(
      Start start,
      List<Answer> answers,
      ReceivedTraces traces,
      StandInOutput profiler,
      ApplicationLog log) {
    this.start = start;
    this.answers = answers;
    this.traces = traces;
    this.profiler = profiler;
    this.log = log;
    checks = new Checks(traces, profiler, System.out);
  }

  /** Returns how many checks failed. */
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
    return checks.failed();
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
    long answered = answers.stream().filter(answer -> answer.status() == 200).count();
    int busy = traces.serverSpans(Visits.BUSY).size();
    int idle = traces.serverSpans(Visits.IDLE).size();
    checks.check(
        answered == answers.size() && busy == Visits.OF_EACH && idle == Visits.OF_EACH,
        "%d requests, %d answered with 200; server spans: %d of %s, %d of %s",
        answers.size(),
        answered,
        busy,
        Visits.BUSY,
        idle,
        Visits.IDLE);
  }

  private void requestsRunOnTheThreadsThatWereAskedFor() {
    boolean virtual = start == Start.VIRTUAL_THREADS;
    long onVirtual = answers.stream().filter(a -> a.body().startsWith("VirtualThread[")).count();
    checks.check(
        onVirtual == (virtual ? answers.size() : 0),
        "%d of %d requests ran on virtual threads",
        onVirtual,
        answers.size());
  }

  private void samplesFollowWork() {
    List<Span> busySpans = traces.serverSpans(Visits.BUSY);
    long with = busySpans.stream().filter(ReceivedTraces::hasStackTraceIds).count();
    int busy = samples(busySpans);
    int idle = samples(traces.serverSpans(Visits.IDLE));
    // Where CPUs are short, the stand-in itself does not run for a while: it sends nothing.
    int expected = Visits.OF_EACH * 2 / 3;
    // Its requests are still received, traced and answered, which takes some CPU time.
    int tolerated = Math.max(10, busy / 5);
    checks.check(
        with >= expected && idle <= tolerated,
        "%d of %d server spans of %s carry ids, at least %d, together %d; those of %s %d, at most %d",
        with,
        busySpans.size(),
        Visits.BUSY,
        expected,
        busy,
        Visits.IDLE,
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
        "as expected then, no span carries ids: %d of %d, and %d messages were sent",
        with,
        traces.spans().size(),
        profiler.sent().total());
  }

  private void oneWarningNamesTheRemedy() {
    List<String> warnings = log.warnings();
    checks.check(
        warnings.size() == 1 && warnings.get(0).contains(REMEDY),
        "%d warning, %d of them with the remedy, %s",
        warnings.size(),
        log.with(REMEDY).size(),
        REMEDY);
  }

  private void nobodyWarns() {
    checks.check(log.warnings().isEmpty(), "%d warnings in the log", log.warnings().size());
  }
}
