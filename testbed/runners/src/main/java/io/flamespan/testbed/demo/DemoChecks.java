/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.demo;

import io.flamespan.examples.demo.LoadGenerator;
import io.flamespan.examples.demo.SentRequest;
import io.flamespan.examples.demo.TraceParent;
import io.flamespan.testbed.harness.Checks;
import io.flamespan.testbed.harness.Counts;
import io.flamespan.testbed.harness.ProfiledRun;
import io.flamespan.testbed.harness.ReceivedTraces;
import io.flamespan.testbed.harness.StandInOutput;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The checks after the clients have visited the shop. */
final class DemoChecks {

  private final List<SentRequest> requests;
  private final ReceivedTraces traces;
  private final StandInOutput profiler;
  private final Checks checks;

  DemoChecks(ProfiledRun<List<SentRequest>> run) {
    requests = run.visit();
    traces = run.traces();
    profiler = run.profiler();
    checks = new Checks(run);
  }

  /** Returns the number of failed checks. */
  int conclude(List<EndpointReport> endpoints) {
    checks.profilerKnowsService(ProfiledShop.SERVICE_NAME);
    profilerKnowsEnvironment();
    checks.sentIsReceived();
    checks.protocolsAgree();
    everyIdHasItsStack();
    everyRequestIsOneServerSpan();
    checks.onlyLocalRootsHaveIds();
    checks.hostIdIsAdded();
    for (EndpointReport endpoint : endpoints) {
      metricAgrees(endpoint);
      samplesFollowWork(endpoint, endpoints);
    }
    return checks.conclude();
  }

  private void profilerKnowsEnvironment() {
    String environment = profiler.summary("service_environment");
    checks.check(
        environment.equals(ProfiledShop.ENVIRONMENT),
        "the profiler read from memory: environment %s",
        environment);
  }

  private void everyIdHasItsStack() {
    Counts ids = new Counts();
    traces.spans().forEach(span -> ReceivedTraces.stackTraceIds(span).forEach(ids::add));
    List<String> distinct = ids.byFrequency();
    long unknown = distinct.stream().filter(id -> !profiler.knows(id)).count();
    checks.check(
        unknown == 0, "%d distinct ids, %d of them without a stack", distinct.size(), unknown);
  }

  private void everyRequestIsOneServerSpan() {
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
    checks.check(
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

  private void metricAgrees(EndpointReport endpoint) {
    checks.check(
        endpoint.otherSamples() == endpoint.samples(),
        "%s has %d samples on its spans and %d in the metric",
        endpoint.path(),
        endpoint.samples(),
        endpoint.otherSamples());
  }

  private void samplesFollowWork(EndpointReport endpoint, List<EndpointReport> all) {
    int total = all.stream().mapToInt(EndpointReport::samples).sum();
    if (endpoint.path().equals(LoadGenerator.SLEEPING_PATH)) {
      // Receiving, tracing and answering its requests still takes some CPU time.
      int tolerated = Math.max(5, total / 10);
      checks.check(
          endpoint.requests() > 0 && endpoint.samples() <= tolerated,
          "%s has hardly any samples: %d of %d (at most %d)",
          endpoint.path(),
          endpoint.samples(),
          total,
          tolerated);
    } else {
      checks.check(
          endpoint.samples() > 0,
          "%s has samples: %d of %d",
          endpoint.path(),
          endpoint.samples(),
          total);
    }
  }
}
