/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Spread;
import io.flamespan.page.results.Tally;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint in two results. Times are averages of a request, because the results have different
 * numbers of requests.
 *
 * @param before null if the endpoint is new
 * @param now null if the endpoint is gone
 * @param judged what all endpoints have
 */
public record EndpointChange(
    @Nullable EndpointResult before, @Nullable EndpointResult now, Judged judged) {
  /**
   * What is judged together, as one false verdict is one too many.
   *
   * @param all the sum of both sides of all endpoints
   * @param measures how many kinds of samples there are
   */
  record Judged(Tally all, int measures) {}

  public String name() {
    return some().name();
  }

  public String service() {
    return some().service();
  }

  @SuppressWarnings("NullAway") // one of the two is there
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

  /** What chance may do to {@link #perRequest}, see {@link Chance}. NaN if a side is missing. */
  public double plusMinus(Measure measure) {
    return verdict(measure).plusMinus();
  }

  /** Whether the difference may be nothing but chance. */
  public boolean isChance(Measure measure) {
    return verdict(measure).chance();
  }

  private Chance.Verdict verdict(Measure measure) {
    Spread spread = new Spread();
    Tally tally = new Tally();
    long requests = 0;
    for (EndpointResult side : sides()) {
      spread.add(side.spread(measure));
      tally.add(side.tally());
      requests += side.requests();
    }
    double amount = tally.amount(measure);
    return Chance.judge(
        side(before, measure),
        side(now, measure),
        new Chance.Spreading(
            spread.cluster(requests),
            spread.skew(requests),
            measure.isIndependent() ? amount / Math.max(1, tally.count(measure)) : 0),
        Chance.LEVEL / judged.measures * amount / Math.max(1, judged.all.amount(measure)));
  }

  private static Chance.Side side(@Nullable EndpointResult endpoint, Measure measure) {
    return endpoint == null
        ? new Chance.Side(0, 0)
        : new Chance.Side(endpoint.requests(), endpoint.tally().amount(measure));
  }

  /** The sides that have the endpoint. */
  public List<EndpointResult> sides() {
    return Stream.of(before, now).filter(Objects::nonNull).toList();
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

  private static double perRequest(Measure measure, @Nullable EndpointResult endpoint) {
    return endpoint == null ? 0 : (double) endpoint.tally().amount(measure) / endpoint.requests();
  }
}
