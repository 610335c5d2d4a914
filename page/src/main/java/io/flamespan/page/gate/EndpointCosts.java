/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Spread;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** What the requests of an endpoint cost in one run, by their begin. */
public final class EndpointCosts {
  /** What own methods, with the libraries that they call, have of each request. */
  @FunctionalInterface
  public interface Methods {
    Map<Frame, Double> of(int request, Measure measure);
  }

  private final String name;
  private final String service;
  private final long[] ages;
  private final boolean[] failed;
  private final double[][] amounts;
  private final Methods methods;

  /**
   * Takes the figures of all requests.
   *
   * @param ages the time from the begin of the process to the begin of each, in nanoseconds
   * @param failed whether each did
   * @param amounts by the ordinal of a {@link Cost}, of each request; NaN if it is unknown
   * @param methods what they cost by method
   */
  public EndpointCosts(
      String name,
      String service,
      long[] ages,
      boolean[] failed,
      double[][] amounts,
      Methods methods) {
    this.name = name;
    this.service = service;
    this.ages = ages.clone();
    this.failed = failed.clone();
    this.amounts = amounts.clone();
    this.methods = methods;
  }

  public String name() {
    return name;
  }

  public String service() {
    return service;
  }

  Methods methods() {
    return methods;
  }

  public int requests() {
    return ages.length;
  }

  int failed() {
    return (int) IntStream.range(0, requests()).filter(request -> failed[request]).count();
  }

  double amount(Cost cost, int from, int to) {
    double sum = 0;
    for (int request = from; request < to; request++) {
      sum += amounts[cost.ordinal()][request];
    }
    return sum;
  }

  /** Of the requests of which it is known. */
  double amount(Cost cost) {
    EndpointCosts known = known(cost);
    return known.amount(cost, 0, known.requests());
  }

  void addTo(Spread spread, Cost cost) {
    for (double amount : amounts[cost.ordinal()]) {
      spread.add(amount);
    }
  }

  /** The requests that began at such an age of their process. */
  EndpointCosts within(long from, long to) {
    return kept(i -> ages[i] >= from && ages[i] <= to);
  }

  /** The requests of which a cost is known. */
  EndpointCosts known(Cost cost) {
    return kept(i -> !Double.isNaN(amounts[cost.ordinal()][i]));
  }

  private EndpointCosts kept(IntPredicate is) {
    int[] kept = IntStream.range(0, requests()).filter(is).toArray();
    return kept.length == requests() ? this : some(kept, 1);
  }

  /** These requests, as if each had cost so many times as much. */
  public EndpointCosts some(int[] kept, double times) {
    double[][] ofKept =
        Arrays.stream(amounts)
            .map(of -> Arrays.stream(kept).mapToDouble(request -> times * of[request]).toArray())
            .toArray(double[][]::new);
    boolean[] failedOfKept = new boolean[kept.length];
    for (int i = 0; i < kept.length; i++) {
      failedOfKept[i] = failed[kept[i]];
    }
    return new EndpointCosts(
        name,
        service,
        Arrays.stream(kept).mapToLong(request -> ages[request]).toArray(),
        failedOfKept,
        ofKept,
        (request, measure) -> methods.of(kept[request], measure));
  }
}
