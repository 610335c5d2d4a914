/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.agent;

import io.flamespan.testbed.harness.Checks;
import io.flamespan.testbed.harness.OtlpReceiver.ReceivedSpan;
import io.flamespan.testbed.harness.ProfiledRun;
import io.flamespan.testbed.harness.ReceivedTraces;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.util.List;

/** The checks after a run. Each is printed with its numbers. */
final class AgentChecks {

  private static final String SERVER_INSTRUMENTATION = "io.opentelemetry.java-http-server";

  private final ProfiledRun<List<String>> run;
  private final Checks checks;

  AgentChecks(ProfiledRun<List<String>> run) {
    this.run = run;
    checks = new Checks(run);
  }

  /** Returns the number of failed checks. */
  int failed() {
    return checks.conclude();
  }

  AgentChecks isOnOnce() {
    checks.pluginIsOn(1);
    return this;
  }

  AgentChecks noWarning() {
    checks.noPluginWarning();
    return this;
  }

  AgentChecks oneWarning(String text) {
    checks.onePluginWarning(text);
    return this;
  }

  AgentChecks sentIsReceived() {
    checks.sentIsReceived();
    checks.protocolsAgree();
    return this;
  }

  AgentChecks nothingIsSent() {
    int sent = run.profiler().sent().total();
    int received = run.traces().correlations().total();
    checks.check(
        sent == 0 && received == 0, "%d correlation messages sent, %d ids", sent, received);
    return this;
  }

  /** Checks the service name, which the profiler reads before the first request. */
  AgentChecks profilerKnowsService() {
    checks.profilerKnowsService(AgentExample.SERVICE);
    return this;
  }

  /**
   * Requires ids on only half of the spans: on a busy machine the profiler may miss short spans.
   */
  AgentChecks serverSpansHaveIds(String route) {
    List<Span> spans = serverSpans(route);
    long with = spans.stream().filter(ReceivedTraces::hasStackTraceIds).count();
    checks.check(
        spans.size() == requests() && 2 * with >= spans.size(),
        "%d requests for %s, %d server spans of the agent, %d with ids (at least half)",
        requests(),
        route,
        spans.size(),
        with);
    return this;
  }

  AgentChecks serverSpansSuitElastic(String route) {
    List<Span> spans = serverSpans(route);
    long transactions =
        spans.stream()
            .filter(
                span ->
                    ReceivedTraces.attribute(span, "processor.event")
                        .getStringValue()
                        .equals("transaction"))
            .filter(span -> span.getTraceState().equals("es=s:1"))
            .count();
    checks.check(
        transactions == spans.size(),
        "%d of %d server spans have the inferred attributes and the sample rate",
        transactions,
        spans.size());
    return this;
  }

  /** Allows a few ids: reading and answering a request takes a little CPU time. */
  AgentChecks hardlyAnyIds(String route) {
    List<Span> spans = serverSpans(route);
    long ids =
        spans.stream()
            .map(span -> ReceivedTraces.attribute(span, ReceivedTraces.STACK_TRACE_IDS))
            .mapToLong(value -> value.getArrayValue().getValuesCount())
            .sum();
    int tolerated = Math.max(5, run.profiler().sent().total() / 4);
    checks.check(
        spans.size() == requests() && ids <= tolerated,
        "%s has hardly any ids: %d on %d server spans (at most %d)",
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

  private int requests() {
    return run.visit().size();
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
