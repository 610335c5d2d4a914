/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.agent;

import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.otelprofiling.examples.harness.Checks;
import io.otelprofiling.examples.harness.OtlpReceiver.ReceivedSpan;
import io.otelprofiling.examples.harness.ReceivedTraces;
import java.io.PrintStream;
import java.util.List;
import java.util.regex.Pattern;

/** What must hold after a run, each printed with the numbers it was judged by. */
final class AgentChecks {

  private static final String SERVER_INSTRUMENTATION = "io.opentelemetry.java-http-server";
  private static final String ON = "Profiling correlation is on";

  /** As the agent's logging and as java.util.logging writes it. */
  private static final Pattern WARNING =
      Pattern.compile(" WARN io\\.otelprofiling\\.|^WARNING: Profil(ing|ers) ");

  private final AgentRun run;
  private final PrintStream out;
  private final Checks checks;

  AgentChecks(AgentRun run, PrintStream out) {
    this.run = run;
    this.out = out;
    this.checks = new Checks(run.traces(), run.profiler(), out);
  }

  /** How many did not hold. */
  int failed() {
    if (checks.failed() > 0) {
      run.log().forEach(line -> out.println("          | " + line));
    }
    return checks.failed();
  }

  AgentChecks isOnOnce() {
    long on = run.log().stream().filter(line -> line.contains(ON)).count();
    checks.check(on == 1, "%d log lines say: %s", on, ON);
    return this;
  }

  AgentChecks noWarning() {
    List<String> warnings = warnings();
    checks.check(warnings.isEmpty(), "%d warnings of the plug-in", warnings.size());
    return this;
  }

  AgentChecks oneWarning(String text) {
    List<String> warnings = warnings();
    checks.check(
        warnings.size() == 1 && warnings.get(0).contains(text),
        "%d warnings of the plug-in, %d with: %s",
        warnings.size(),
        warnings.stream().filter(line -> line.contains(text)).count(),
        text);
    return this;
  }

  private List<String> warnings() {
    return run.log().stream().filter(line -> WARNING.matcher(line).find()).toList();
  }

  AgentChecks sentIsReceived() {
    checks.sentIsReceived();
    return this;
  }

  AgentChecks nothingIsSent() {
    int sent = run.profiler().sent().total();
    int received = run.traces().correlations().total();
    checks.check(
        sent == 0 && received == 0, "%d correlation messages sent, %d ids", sent, received);
    return this;
  }

  /** The profiler reads the name before the first request. */
  AgentChecks profilerKnowsService() {
    String name = run.profiler().summary("service_name");
    checks.check(name.equals("agent-example"), "the profiler read from memory: service %s", name);
    return this;
  }

  /** Not all: on a busy machine the profiler may miss a short one. */
  AgentChecks serverSpansHaveIds(String route) {
    List<Span> spans = serverSpans(route);
    long with = spans.stream().filter(ReceivedTraces::hasStackTraceIds).count();
    checks.check(
        spans.size() == run.requests() && 2 * with >= spans.size(),
        "%d requests for %s, %d server spans of the agent, %d with ids, at least half",
        run.requests(),
        route,
        spans.size(),
        with);
    return this;
  }

  /** Reading and answering a request takes CPU time too, but hardly any. */
  AgentChecks hardlyAnyIds(String route) {
    List<Span> spans = serverSpans(route);
    long ids =
        spans.stream()
            .map(span -> ReceivedTraces.attribute(span, ReceivedTraces.STACK_TRACE_IDS))
            .mapToLong(value -> value.getArrayValue().getValuesCount())
            .sum();
    int tolerated = Math.max(5, run.profiler().sent().total() / 4);
    checks.check(
        spans.size() == run.requests() && ids <= tolerated,
        "%s has nearly no ids: %d on %d server spans, at most %d",
        route,
        ids,
        spans.size(),
        tolerated);
    return this;
  }

  AgentChecks onlyLocalRootsHaveIds() {
    checks.onlyLocalRootsHaveIds();
    return this;
  }

  private List<Span> serverSpans(String route) {
    return run.traces().all().stream()
        .filter(received -> received.scope().getName().equals(SERVER_INSTRUMENTATION))
        .map(ReceivedSpan::span)
        .filter(span -> span.getKind() == SpanKind.SPAN_KIND_SERVER)
        .filter(span -> ReceivedTraces.attribute(span, "http.route").getStringValue().equals(route))
        .toList();
  }
}
