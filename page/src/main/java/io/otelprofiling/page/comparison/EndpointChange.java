/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.comparison;

import io.otelprofiling.page.results.EndpointResult;
import io.otelprofiling.page.results.Measure;

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

  /** The difference of the amount of a request. */
  public double perRequest(Measure measure) {
    return perRequest(measure, now) - perRequest(measure, before);
  }

  /**
   * What chance may do to {@link #perRequest}: by the number of samples, and by how much requests
   * differ among themselves if that is more. Waits differ too much in length for their number to
   * tell. 0 if no side has samples, NaN if it is unknown. The page computes the same in chance.js,
   * but takes all endpoints for the time that one sample stands for.
   */
  public double plusMinus(Measure measure) {
    double requests = ofRequests(measure, before) + ofRequests(measure, now);
    if (measure != Measure.CPU && measure != Measure.ALLOC) {
      return SIGMAS * Math.sqrt(requests);
    }
    double samples = ofSamples(measure, before) + ofSamples(measure, now);
    return SIGMAS * Math.sqrt(requests > samples ? requests : samples);
  }

  /** Whether the difference may be nothing but chance. */
  public boolean isChance(Measure measure) {
    double difference = perRequest(measure);
    return !(Math.abs(difference) >= plusMinus(measure)) || difference == 0;
  }

  /** The variance of the amount per request, as that of a number of samples is the number. */
  private static double ofSamples(Measure measure, EndpointResult endpoint) {
    double mean = perRequest(measure, endpoint);
    return mean == 0 ? 0 : mean * mean / endpoint.tally().count(measure);
  }

  /** NaN if there is one request. */
  private static double ofRequests(Measure measure, EndpointResult endpoint) {
    if (endpoint == null || endpoint.tally().count(measure) == 0) {
      return 0;
    }
    double mean = perRequest(measure, endpoint);
    long requests = endpoint.requests();
    return requests == 1
        ? Double.NaN
        : Math.max(0, endpoint.squares(measure) / requests - mean * mean) / (requests - 1);
  }

  /** The difference of the mean duration, in nanoseconds. 0 if the endpoint is new or gone. */
  public double meanNanos() {
    return before == null || now == null ? 0 : now.meanNanos() - before.meanNanos();
  }

  /** {@link #perRequest} times the requests now, or times those before if it is gone. */
  public double impact(Measure measure) {
    return perRequest(measure) * some().requests();
  }

  /** The same for the duration. */
  double meanImpactNanos() {
    return meanNanos() * some().requests();
  }

  private static double perRequest(Measure measure, EndpointResult endpoint) {
    return endpoint == null ? 0 : (double) endpoint.tally().amount(measure) / endpoint.requests();
  }
}
