/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Simulates runs of an application whose requests have samples of CPU time of 10 ms. */
final class SimulatedRuns {
  static final double PERIOD = 10e6;
  private static final long MILLISECOND = 1_000_000;
  private static final double SECONDS = 120;

  /** How many samples a request has. */
  enum Requests {
    POISSON(random -> poisson(random, 1)),
    MANY_SAMPLES(random -> poisson(random, 10)),
    RARELY_SAMPLED(random -> poisson(random, 0.1)),
    ONE_IN_TEN_SLOW(random -> poisson(random, random.nextInt(10) == 0 ? 9 : 0.5)),
    ONE_IN_200_WITH_200(random -> poisson(random, 1) + (random.nextInt(200) == 0 ? 200 : 0));

    final ToDoubleFunction<Random> samples;

    Requests(ToDoubleFunction<Random> samples) {
      this.samples = samples;
    }
  }

  private final Random random;
  private final Requests requests;
  private final int endpoints;
  private double betweenRuns; // standard deviation of the cost of a run, as a share
  private double wholeRuns; // the same, of all endpoints together
  private double slow; // the standard deviation of what lasts for some requests

  SimulatedRuns(long seed, Requests requests, int endpoints) {
    this.random = new Random(seed);
    this.requests = requests;
    this.endpoints = endpoints;
  }

  /** Lets runs of the same code differ. */
  SimulatedRuns betweenRuns(double share) {
    betweenRuns = share;
    return this;
  }

  /** Lets runs of the same code differ in all endpoints alike, as by a slower machine. */
  SimulatedRuns wholeRuns(double share) {
    wholeRuns = share;
    return this;
  }

  /** Lets requests that follow each other be dear together. */
  SimulatedRuns inPhases(double share) {
    slow = share;
    return this;
  }

  /** Runs whose first endpoints cost so many times as much as they did. */
  List<Run> runs(int count, int requestsOfEach, double... factors) {
    List<Run> runs = new ArrayList<>();
    for (int run = 0; run < count; run++) {
      runs.add(run("run-" + run, requestsOfEach, factors));
    }
    return runs;
  }

  private Run run(String name, int count, double... factors) {
    List<EndpointCosts> all = new ArrayList<>();
    Tally received = new Tally();
    double ofMachine = Math.exp(wholeRuns * random.nextGaussian());
    for (int endpoint = 0; endpoint < endpoints; endpoint++) {
      double ofEndpoint = 1 + betweenRuns * random.nextGaussian();
      double ofRun = (endpoint < factors.length ? factors[endpoint] : 1) * ofEndpoint * ofMachine;
      double[][] amounts = new double[Cost.values().length][count];
      long[] ages = new long[count];
      double phase = 0;
      for (int request = 0; request < count; request++) {
        if (request % Math.max(1, count / 60) == 0) {
          phase = slow * random.nextGaussian();
        }
        double samples = requests.samples.applyAsDouble(random);
        amounts[Cost.CPU.ordinal()][request] = PERIOD * samples * ofRun * (1 + phase);
        amounts[Cost.DURATION.ordinal()][request] = MILLISECOND * (1 + random.nextDouble()) * ofRun;
        received.add(Measure.CPU, (long) samples, (long) (samples * PERIOD));
        ages[request] = (long) (request * SECONDS * 1e9 / count);
      }
      all.add(
          new EndpointCosts("GET /" + endpoint, "shop", ages, amounts, (one, measure) -> Map.of()));
    }
    return new Run(name, all, received, SECONDS, 1, Set.of("OpenJDK 21"));
  }

  private static double poisson(Random random, double mean) {
    double limit = Math.exp(-mean);
    double product = random.nextDouble();
    int count = 0;
    while (product > limit) {
      product *= random.nextDouble();
      count++;
    }
    return count;
  }
}
