/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import io.flamespan.page.results.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A cost on one side. */
final class Side {
  static final int BLOCKS = 20;
  private static final double CERTAIN = 1.645; // of a normal distribution, once in 20 cases

  private final double[] units;
  private final boolean unitIsRun;
  private final long requests;
  private final double amount;
  private final Spread spread;
  private final double alike; // the correlation of neighbours

  /**
   * Takes the sums.
   *
   * @param units the mean of a request in each run or, if the side has one, in each block of
   *     consecutive requests
   * @param unitIsRun whether units are runs, in any order
   * @param spread of requests
   */
  Side(double[] units, boolean unitIsRun, long requests, double amount, Spread spread) {
    this(units, unitIsRun, requests, amount, spread, alike(units));
  }

  private Side(
      double[] units,
      boolean unitIsRun,
      long requests,
      double amount,
      Spread spread,
      double alike) {
    this.units = units;
    this.unitIsRun = unitIsRun;
    this.requests = requests;
    this.amount = amount;
    this.spread = spread;
    this.alike = alike;
  }

  /** With blocks as much alike as those of both sides are: twice as many tell it better. */
  Side beside(Side other) {
    return unitIsRun || other.unitIsRun
        ? this
        : new Side(units, false, requests, amount, spread, (alike + other.alike) / 2);
  }

  /** The number of units. */
  int units() {
    return units.length;
  }

  /** The number of runs that have the endpoint. */
  int runs() {
    return unitIsRun ? units.length : 1;
  }

  /** Whether there are enough requests, of which fewer hide how much others differ. */
  boolean tells() {
    return runs() > 1 || requests >= Gate.LEAST_REQUESTS;
  }

  long requests() {
    return requests;
  }

  double amount() {
    return amount;
  }

  Spread spread() {
    return spread;
  }

  /** Takes an endpoint's requests in each run of the side. */
  static Side of(List<EndpointCosts> runs, Cost cost, boolean unitIsRun) {
    List<Double> units = new ArrayList<>();
    Spread spread = new Spread();
    long requests = 0;
    double amount = 0;
    for (EndpointCosts run : runs) {
      int blocks = blocks(run.requests(), unitIsRun);
      for (int block = 0; block < blocks; block++) {
        int from = begin(block, blocks, run.requests());
        int to = begin(block + 1, blocks, run.requests());
        units.add(run.amount(cost, from, to) / (to - from));
      }
      requests += run.requests();
      amount += run.amount(cost);
      run.addTo(spread, cost);
    }
    return new Side(
        units.stream().mapToDouble(unit -> unit).toArray(), unitIsRun, requests, amount, spread);
  }

  static int blocks(int requests, boolean unitIsRun) {
    return unitIsRun ? 1 : Math.min(requests, BLOCKS);
  }

  /** The first request of a block. */
  static int begin(int block, int blocks, int requests) {
    return (int) ((long) block * requests / blocks);
  }

  double mean() {
    double sum = 0;
    for (double unit : units) {
      sum += unit;
    }
    return units.length == 0 ? 0 : sum / units.length;
  }

  /** Of the mean. NaN of fewer than two units. */
  double variance() {
    double mean = mean();
    double squares = 0;
    for (double unit : units) {
      squares += (unit - mean) * (unit - mean);
    }
    return units.length < 2 ? Double.NaN : squares / (units.length - 1) / independentUnits();
  }

  /**
   * The variance of runs beyond what requests make, as a share of the mean squared; may be negative
   * by chance. NaN if it is unknown.
   */
  double betweenRuns() {
    double mean = mean();
    double ofRequests = spread.variance(requests) * units.length / requests;
    return runs() < 2 ? Double.NaN : (variance() * units.length - ofRequests) / mean / mean;
  }

  /** The degrees of freedom of the variance. */
  double freedom() {
    return Math.max(1, independentUnits() - 1);
  }

  /** Whether a unit is like the one before by so many standard deviations of chance. */
  boolean areNeighboursAlike(double deviations) {
    return correlation(units) > deviations / Math.sqrt(units.length);
  }

  /** As many independent units tell as much. Few units do not tell it unless it is certain. */
  private double independentUnits() {
    double number = units.length;
    if (unitIsRun) {
      return number;
    }
    // Chance hides that units are alike, so it is taken to have done so, up to a standard error.
    double hidden = Math.sqrt(Math.max(0, 1 - alike * alike) / number);
    double most = alike + Math.min(2 * alike, hidden);
    boolean tells = number >= BLOCKS || areNeighboursAlike(CERTAIN);
    return tells && alike > 0 ? Math.max(1, number * (1 - most) / (1 + most)) : number;
  }

  /** Units around their own mean seem less alike than they are (Marriott and Pope, 1954). */
  private static double alike(double[] units) {
    double number = units.length;
    return (correlation(units) + 1 / number) / (1 - 4 / number);
  }

  /** Of each unit with the one before. */
  private static double correlation(double[] units) {
    double mean = Arrays.stream(units).average().orElse(0);
    double squares = 0;
    double products = 0;
    for (int unit = 0; unit < units.length; unit++) {
      squares += (units[unit] - mean) * (units[unit] - mean);
      products += unit == 0 ? 0 : (units[unit] - mean) * (units[unit - 1] - mean);
    }
    return squares == 0 ? 0 : products / squares;
  }
}
