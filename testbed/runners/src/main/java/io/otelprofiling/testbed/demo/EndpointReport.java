/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.demo;

import io.opentelemetry.proto.trace.v1.Span;
import io.otelprofiling.examples.demo.SentRequest;
import io.otelprofiling.testbed.harness.Counts;
import io.otelprofiling.testbed.harness.ReceivedTraces;
import io.otelprofiling.testbed.harness.StandInOutput;
import java.util.List;
import java.util.Map;

/** The data about one endpoint of the shop: from its clients, its spans and its samples. */
final class EndpointReport {

  private final String path;
  private final int requests;
  private final double meanMillis;
  private final long cpuNanos;
  private final long samplesByMetric;
  private final Counts leafMethods = new Counts();

  EndpointReport(
      String path,
      List<SentRequest> sent,
      ReceivedTraces traces,
      Map<Span, Long> cpuNanosByLocalRoot,
      Map<String, Long> samplesByRoute,
      StandInOutput profiler) {
    this.path = path;
    this.requests = (int) sent.stream().filter(request -> request.path().equals(path)).count();
    this.meanMillis =
        sent.stream()
            .filter(request -> request.path().equals(path))
            .mapToDouble(request -> request.nanos() / 1e6)
            .average()
            .orElse(0);
    List<Span> spans = traces.serverSpans(path);
    this.cpuNanos =
        spans.stream().mapToLong(span -> cpuNanosByLocalRoot.getOrDefault(span, 0L)).sum();
    this.samplesByMetric = samplesByRoute.getOrDefault(path, 0L);
    for (Span span : spans) {
      for (String id : ReceivedTraces.stackTraceIds(span)) {
        leafMethods.add(profiler.leafMethod(id));
      }
    }
  }

  String path() {
    return path;
  }

  int requests() {
    return requests;
  }

  /** Returns the mean duration of a request, as measured by the clients. */
  double meanMillis() {
    return meanMillis;
  }

  /** Returns the CPU time, as measured by the operating system's clock. */
  long cpuNanos() {
    return cpuNanos;
  }

  /** Returns the number of stack trace ids on the endpoint's spans. */
  int samples() {
    return leafMethods.total();
  }

  /** Returns the endpoint's samples according to the plug-in's metric. */
  long samplesByMetric() {
    return samplesByMetric;
  }

  /** Returns the uppermost methods of the samples, with their counts. */
  Counts leafMethods() {
    return leafMethods;
  }
}
