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
  /** How many standard deviations a difference must have to be more than chance. */
  private static final double SIGMAS = 2;

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

  /**
   * What chance may do to {@link #cpuPerRequestNanos}: by the number of samples, and by how much
   * requests differ among themselves if that is more. 0 if no side has samples. The page computes
   * the same in chance.js, but takes all endpoints for the time that one sample stands for.
   */
  public double cpuPerRequestPlusMinus() {
    return SIGMAS
        * Math.sqrt(
            Math.max(ofSamples(before) + ofSamples(now), ofRequests(before) + ofRequests(now)));
  }

  /** Whether the difference may be nothing but chance. */
  public boolean isChance() {
    double difference = cpuPerRequestNanos();
    return Math.abs(difference) < cpuPerRequestPlusMinus() || difference == 0;
  }

  /** The variance of the CPU time per request, as that of a number of samples is the number. */
  private static double ofSamples(EndpointResult endpoint) {
    double mean = cpuPerRequest(endpoint);
    return mean == 0 ? 0 : mean * mean / endpoint.tally().samples();
  }

  private static double ofRequests(EndpointResult endpoint) {
    if (endpoint == null) {
      return 0;
    }
    double mean = cpuPerRequest(endpoint);
    double requests = endpoint.requests();
    return Math.max(0, endpoint.cpuSquares() / requests - mean * mean) / requests;
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
