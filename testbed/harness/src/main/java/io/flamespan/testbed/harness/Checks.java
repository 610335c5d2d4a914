/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import io.flamespan.testbed.harness.OtlpReceiver.ReceivedSpan;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.List;

/** The checks after a run. Each is printed with its numbers. */
public final class Checks {

  private static final String IS_ON = "Flamespan is on";

  private final ReceivedTraces traces;
  private final StandInOutput profiler;
  private final ApplicationLog log;
  private final Results results = new Results();

  /** Creates the checks of a run, without performing any. */
  public Checks(ProfiledRun<?> run) {
    traces = run.traces();
    profiler = run.profiler();
    log = run.log();
  }

  /** Returns the number of failed checks. If it is not 0, prints the application's log first. */
  public int conclude() {
    if (results.failed() > 0) {
      log.print();
    }
    return results.failed();
  }

  /** Checks that the plug-in logged so many starts. */
  public void pluginIsOn(int starts) {
    int lines = log.with(IS_ON).size();
    check(lines == starts, "%d log lines say: %s", lines, IS_ON);
  }

  /** Checks that the plug-in logged no warning. */
  public void noPluginWarning() {
    int warnings = log.pluginWarnings().size();
    check(warnings == 0, "%d warnings of the plug-in", warnings);
  }

  /** Checks that the plug-in logged exactly one warning, and that it contains the text. */
  public void onePluginWarning(String text) {
    List<String> warnings = log.pluginWarnings();
    long with = warnings.stream().filter(line -> line.contains(text)).count();
    check(
        warnings.size() == 1 && with == 1,
        "%d warnings of the plug-in, %d with: %s",
        warnings.size(),
        with,
        text);
  }

  /** Checks that the profiler reads the same service name as the application's traces have. */
  public void profilerKnowsService(String expected) {
    String name = profiler.summary("service_name");
    check(name.equals(expected), "the profiler read from memory: service %s", name);
  }

  /** Checks that each message of the profiler became an id on the span that it was sent for. */
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
    print("missing", missing);
    print("unexpected", unexpected);
  }

  /**
   * Checks that the two records of a thread agreed: in each sample, both had the same trace, and
   * one had the local root span of the other one's span. A thread changes one record after the
   * other, so a few samples may hit it between the two changes, which are nanoseconds apart, or
   * microseconds in code that is not compiled yet.
   */
  public void protocolsAgree() {
    int agree = count("agree");
    int between =
        count("disagree")
            + count("only_elastic")
            - count("only_elastic_otel_invalid")
            + count("only_otel_sampled");
    int tolerated = Math.max(3, agree / 100);
    long wrongRoot = profiler.records().stream().filter(sample -> !isRootOfSpan(sample)).count();
    check(
        agree > 0 && between <= tolerated && wrongRoot == 0,
        "%d samples with the same span in both protocols, %d between two spans (at most %d), %d"
            + " with the local root of another span",
        agree,
        between,
        tolerated,
        wrongRoot);
  }

  private int count(String counter) {
    return Integer.parseInt(profiler.summary(counter));
  }

  /** Spans that were running at the end are not received, so only their traces are known. */
  private boolean isRootOfSpan(SampledRecords.Sample sample) {
    Span span = traces.find(sample.contextTraceId, sample.spanId);
    return sample.traceId.equals(sample.contextTraceId)
        && (span == null
            || ReceivedTraces.hex(traces.localRootOf(span).getSpanId())
                .equals(sample.localRootSpanId));
  }

  private static void print(String what, Counts messages) {
    messages.byFrequency().stream()
        .limit(3)
        .forEach(message -> System.out.println("          " + what + " " + message));
  }

  /** Checks that only local root spans carry stack trace ids. */
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
        "%d of %d spans have ids, as do %d of the %d that are not local roots",
        with,
        traces.spans().size(),
        innerWith,
        inner);
  }

  /** Checks that spans with stack trace ids have the profiler's host id. */
  public void hostIdIsAdded() {
    long with = 0;
    long wrong = 0;
    for (ReceivedSpan received : traces.all()) {
      if (ReceivedTraces.hasStackTraceIds(received.span())) {
        with++;
        boolean right =
            received.resource().getAttributesList().stream()
                .filter(attribute -> attribute.getKey().equals("host.id"))
                .anyMatch(a -> a.getValue().getStringValue().equals(Launch.HOST_ID));
        wrong += right ? 0 : 1;
      }
    }
    check(wrong == 0 && with > 0, "%d spans with ids, %d of them without host.id", with, wrong);
  }

  /** Prints whether the check holds, and a text with its numbers. */
  public void check(boolean holds, String text, Object... numbers) {
    results.check(holds, text, numbers);
  }
}
