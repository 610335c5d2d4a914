/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.demo;

import io.flamespan.examples.demo.SentRequest;
import io.flamespan.testbed.harness.Counts;
import io.flamespan.testbed.harness.ReceivedTraces;
import io.flamespan.testbed.harness.StandInOutput;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.List;
import java.util.Map;

/** The data about one endpoint of the shop: from its clients, its spans and its samples. */
public final class EndpointReport {

  private final String path;
  private final int requests;
  private final double meanMillis;
  private final long cpuNanos;
  private final long otherSamples;
  private final Counts leafMethods;

  EndpointReport(
      String path,
      List<SentRequest> sent,
      ReceivedTraces traces,
      Map<Span, Long> cpuNanosByLocalRoot,
      Map<String, Long> samplesByRoute,
      StandInOutput profiler) {
    this(
        path,
        sent,
        traces.serverSpans(path).stream()
            .mapToLong(span -> cpuNanosByLocalRoot.getOrDefault(span, 0L))
            .sum(),
        samplesByRoute.getOrDefault(path, 0L),
        leafMethods(traces.serverSpans(path), profiler));
  }

  /**
   * Creates a report.
   *
   * @param cpuNanos the CPU time, as measured by the operating system's clock
   * @param otherSamples the number of samples from a second source
   * @param leafMethods the uppermost methods of the samples, with their counts
   */
  public EndpointReport(
      String path, List<SentRequest> sent, long cpuNanos, long otherSamples, Counts leafMethods) {
    this.path = path;
    this.requests = (int) sent.stream().filter(request -> request.path().equals(path)).count();
    this.meanMillis =
        sent.stream()
            .filter(request -> request.path().equals(path))
            .mapToDouble(request -> request.nanos() / 1e6)
            .average()
            .orElse(0);
    this.cpuNanos = cpuNanos;
    this.otherSamples = otherSamples;
    this.leafMethods = leafMethods;
  }

  private static Counts leafMethods(List<Span> spans, StandInOutput profiler) {
    Counts methods = new Counts();
    for (Span span : spans) {
      for (String id : ReceivedTraces.stackTraceIds(span)) {
        methods.add(profiler.leafMethod(id));
      }
    }
    return methods;
  }

  public String path() {
    return path;
  }

  public int requests() {
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

  /** Returns the number of the endpoint's samples. */
  public int samples() {
    return leafMethods.total();
  }

  /** Returns the endpoint's samples by the second source, as the plug-in's metric. */
  public long otherSamples() {
    return otherSamples;
  }

  /** Returns the uppermost methods of the samples, with their counts. */
  Counts leafMethods() {
    return leafMethods;
  }
}
