/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

/** By how much the requests of an endpoint differ in an amount: the sums of its powers. */
public final class Spread {
  private double sum;
  private double squares;
  private double cubes;

  /** Adds a request. Those without an amount need not be added. */
  public void add(double amount) {
    sum += amount;
    squares += amount * amount;
    cubes += amount * amount * amount;
  }

  /** Adds other requests. */
  public void add(Spread other) {
    add(other.sum, other.squares, other.cubes);
  }

  /** Adds other requests, as if each had so many times as much. */
  public void add(Spread other, double times) {
    add(other.sum * times, other.squares * times * times, other.cubes * times * times * times);
  }

  /** Adds the sums of other requests. */
  public void add(double moreSum, double moreSquares, double moreCubes) {
    sum += moreSum;
    squares += moreSquares;
    cubes += moreCubes;
  }

  public double sum() {
    return sum;
  }

  public double mean(long requests) {
    return requests > 0 ? sum / requests : 0;
  }

  /** The variance among so many requests. */
  public double variance(long requests) {
    double mean = mean(requests);
    return requests > 0 ? Math.max(0, squares / requests - mean * mean) : 0;
  }

  /**
   * The variance of a request as a share of its mean, which is the amount of a sample if samples
   * come independently of each other, and more if they come together. 0 without an amount.
   */
  public double cluster(long requests) {
    return sum == 0 ? 0 : Math.max(0, squares / sum - sum / requests);
  }

  /** The third central moment as a share of the variance. 0 if requests do not differ. */
  public double skew(long requests) {
    double mean = sum / requests;
    double variance = squares / requests - mean * mean;
    double third = cubes / requests - 3 * mean * squares / requests + 2 * mean * mean * mean;
    return variance > 1e-9 * mean * mean ? third / variance : 0;
  }
}
