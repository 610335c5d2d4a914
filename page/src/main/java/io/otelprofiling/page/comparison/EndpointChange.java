/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.comparison;

import io.otelprofiling.page.results.EndpointResult;

/**
 * An endpoint in two results. Times are averages of a request, because the results have different
 * numbers of requests.
 *
 * @param before null if the endpoint is new
 * @param now null if the endpoint is gone
 */
public record EndpointChange(EndpointResult before, EndpointResult now) {

  public String name() {
    return some().name();
  }

  public String service() {
    return some().service();
  }

  private EndpointResult some() {
    return now == null ? before : now;
  }

  /** "new", "gone", or "both" if the endpoint is on both sides. */
  public String kind() {
    if (before == null) {
      return "new";
    }
    return now == null ? "gone" : "both";
  }

  /** The difference of the CPU time of a request, in nanoseconds. */
  public double cpuPerRequestNanos() {
    return cpuPerRequest(now) - cpuPerRequest(before);
  }

  /** The standard error of {@link #cpuPerRequestNanos}, 0 if no side has samples. */
  public double cpuPerRequestError() {
    return Math.sqrt(squaredError(before) + squaredError(now));
  }

  /**
   * How far the mean of the CPU times of so many requests may be off, squared. Requests vary at
   * least as much as the samples of each, which are random.
   */
  private static double squaredError(EndpointResult endpoint) {
    if (endpoint == null || endpoint.tally().samples() == 0) {
      return 0;
    }
    double mean = cpuPerRequest(endpoint);
    double requests = endpoint.requests();
    double ofSamples = mean * mean * requests / endpoint.tally().samples();
    return Math.max(endpoint.cpuSquares() / requests - mean * mean, ofSamples) / requests;
  }

  /** The difference of the mean duration, in nanoseconds. 0 if the endpoint is new or gone. */
  public double meanNanos() {
    return before == null || now == null ? 0 : now.meanNanos() - before.meanNanos();
  }

  /** The difference of the CPU time times the requests now, or times those before if it is gone. */
  public double impactNanos() {
    return cpuPerRequestNanos() * some().requests();
  }

  /** The same for the duration. */
  double meanImpactNanos() {
    return meanNanos() * some().requests();
  }

  private static double cpuPerRequest(EndpointResult endpoint) {
    return endpoint == null ? 0 : (double) endpoint.tally().cpuNanos() / endpoint.requests();
  }
}
