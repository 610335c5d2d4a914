/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.demo;

import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.otelprofiling.examples.demo.OtlpReceiver.ReceivedSpan;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What must hold after a run, each printed with the numbers it was judged by. */
public final class Checks {

  private final ReceivedTraces traces;
  private final StandInOutput profiler;
  private final PrintStream out;
  private int failed;

  public Checks(ReceivedTraces traces, StandInOutput profiler, PrintStream out) {
    this.traces = traces;
    this.profiler = profiler;
    this.out = out;
  }

  /** How many checks failed so far. */
  public int failed() {
    return failed;
  }

  /** Returns how many checks failed. */
  int run(List<SentRequest> requests, List<EndpointReport> endpoints) {
    profilerKnowsService();
    sentIsReceived();
    everyIdHasItsStack();
    everyRequestIsOneServerSpan(requests);
    onlyLocalRootsHaveIds();
    hostIdIsAdded();
    for (EndpointReport endpoint : endpoints) {
      samplesFollowWork(endpoint, endpoints);
    }
    return failed;
  }

  private void profilerKnowsService() {
    String name = profiler.summary("service_name");
    String environment = profiler.summary("service_environment");
    check(
        name.equals(ProfiledShop.SERVICE_NAME) && environment.equals(ProfiledShop.ENVIRONMENT),
        "the profiler read from memory: service %s, environment %s",
        name,
        environment);
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

  private void everyIdHasItsStack() {
    Counts ids = new Counts();
    traces.spans().forEach(span -> ReceivedTraces.stackTraceIds(span).forEach(ids::add));
    List<String> distinct = ids.byFrequency();
    long unknown = distinct.stream().filter(id -> !profiler.knows(id)).count();
    check(unknown == 0, "%d different ids, %d of them without a stack", distinct.size(), unknown);
  }

  private void everyRequestIsOneServerSpan(List<SentRequest> requests) {
    Map<String, Span> spanByRequest = new HashMap<>();
    int serverSpans = 0;
    for (Span span : traces.spans()) {
      if (span.getKind() == SpanKind.SPAN_KIND_SERVER) {
        serverSpans++;
        ReceivedTraces.strings(ReceivedTraces.attribute(span, "http.request.header.x-request-id"))
            .forEach(id -> spanByRequest.put(id, span));
      }
    }
    long answered = requests.stream().filter(request -> request.status() == 200).count();
    long traced = requests.stream().filter(r -> matches(r, spanByRequest.get(r.id()))).count();
    check(
        answered == requests.size() && traced == requests.size() && serverSpans == requests.size(),
        "%d requests sent, %d answered with 200, %d server spans received, %d of them as sent",
        requests.size(),
        answered,
        serverSpans,
        traced);
  }

  private static boolean matches(SentRequest request, Span span) {
    if (span == null
        || !ReceivedTraces.attribute(span, "http.route").getStringValue().equals(request.path())) {
      return false;
    }
    TraceParent caller = request.traceParent();
    return caller == null
        ? span.getParentSpanId().isEmpty()
        : ReceivedTraces.hex(span.getTraceId()).equals(caller.traceId())
            && ReceivedTraces.hex(span.getParentSpanId()).equals(caller.spanId());
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

  private void samplesFollowWork(EndpointReport endpoint, List<EndpointReport> all) {
    int total = all.stream().mapToInt(EndpointReport::samples).sum();
    if (endpoint.path().equals(LoadGenerator.SLEEPING_PATH)) {
      // Its requests are still received, traced and answered, which takes some CPU time.
      int tolerated = Math.max(5, total / 10);
      check(
          endpoint.requests() > 0 && endpoint.samples() <= tolerated,
          "%s has nearly no samples: %d of %d, at most %d",
          endpoint.path(),
          endpoint.samples(),
          total,
          tolerated);
    } else {
      check(
          endpoint.samples() > 0,
          "%s has samples: %d of %d",
          endpoint.path(),
          endpoint.samples(),
          total);
    }
  }

  /** Prints a text with its numbers, and whether that is as it has to be. */
  public void check(boolean holds, String text, Object... numbers) {
    failed += holds ? 0 : 1;
    out.printf("%-8s  %s%n", holds ? "ok" : "FAILED", String.format(text, numbers));
  }
}
