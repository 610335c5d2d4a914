/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import io.flamespan.page.results.Spread;
import java.util.ArrayList;
import java.util.List;

/** A cost on one side. */
final class Side {
  static final int BLOCKS = 20;
  private static final double CERTAIN = 1.645; // of a normal distribution, once in 20 cases

  private final double[] units;
  private final boolean areRuns;
  private final long requests;
  private final double amount;
  private final Spread spread;

  /**
   * Takes the sums.
   *
   * @param units the mean of a request in each run or, without several runs, in each block of
   *     consecutive requests
   * @param areRuns whether units are runs, in any order
   * @param spread of requests
   */
  Side(double[] units, boolean areRuns, long requests, double amount, Spread spread) {
    this.units = units;
    this.areRuns = areRuns;
    this.requests = requests;
    this.amount = amount;
    this.spread = spread;
  }

  /** The number of units. */
  int units() {
    return units.length;
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
  static Side of(List<EndpointCosts> runs, Cost cost, boolean runIsUnit) {
    List<Double> units = new ArrayList<>();
    Spread spread = new Spread();
    long requests = 0;
    double amount = 0;
    for (EndpointCosts run : runs) {
      int blocks = runIsUnit ? 1 : blocks(run.requests(), runs.size());
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
        units.stream().mapToDouble(unit -> unit).toArray(), runIsUnit, requests, amount, spread);
  }

  static int blocks(int requests, int runs) {
    return Math.min(requests, Math.max(1, BLOCKS / runs));
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

  /** The degrees of freedom of the variance. */
  double freedom() {
    return Math.max(1, independentUnits() - 1);
  }

  /** Whether a unit is like the one before for certain. */
  boolean areNeighboursAlike() {
    return correlation() > CERTAIN / Math.sqrt(units.length);
  }

  /** As many independent units tell as much. Few units do not tell it unless it is certain. */
  private double independentUnits() {
    double number = units.length;
    if (areRuns) {
      return number;
    }
    // Units around their own mean seem less alike than they are (Marriott and Pope, 1954).
    double likely = (correlation() + 1 / number) / (1 - 4 / number);
    boolean tells = number >= BLOCKS || areNeighboursAlike();
    return tells && likely > 0 ? Math.max(1, number * (1 - likely) / (1 + likely)) : number;
  }

  /** Of each unit with the one before. */
  private double correlation() {
    double mean = mean();
    double squares = 0;
    double products = 0;
    for (int unit = 0; unit < units.length; unit++) {
      squares += (units[unit] - mean) * (units[unit] - mean);
      products += unit == 0 ? 0 : (units[unit] - mean) * (units[unit - 1] - mean);
    }
    return products / squares;
  }
}
