/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/** Simulates runs of an application whose requests have samples of CPU time of 10 ms. */
final class SimulatedRuns {
  static final double PERIOD = 10e6;
  private static final long MILLISECOND = 1_000_000;
  private static final double SECONDS = 120;

  /** How many samples a request has. */
  enum Requests {
    POISSON(random -> poisson(random, 1)),
    MANY_SAMPLES(random -> poisson(random, 10)),
    EVEN(random -> 10),
    RARELY_SAMPLED(random -> poisson(random, 0.1)),
    ONE_IN_TEN_SLOW(random -> poisson(random, random.nextInt(10) == 0 ? 9 : 0.5)),
    ONE_IN_200_WITH_200(random -> poisson(random, 1) + (random.nextInt(200) == 0 ? 200 : 0)),
    ONE_IN_10_000_WITH_20_000(
        random -> poisson(random, 5) + (random.nextInt(10_000) == 0 ? 20_000 : 0)),
    /** Of a Pareto distribution with an infinite variance, as are the durations. */
    PARETO(random -> Math.floor(3 * pareto(random)));

    final ToDoubleFunction<RandomGenerator> samples;

    Requests(ToDoubleFunction<RandomGenerator> samples) {
      this.samples = samples;
    }
  }

  private final RandomGenerator random;
  private final Requests requests;
  private final int endpoints;
  private double betweenRuns; // standard deviation of the cost of a run, as a share
  private double sometimes; // what one of five runs costs more, as a share
  private double wholeRuns; // the same, of all endpoints together
  private double slow; // the standard deviation of what lasts for some requests
  private int phases = 60; // in a run
  private double seconds = SECONDS;
  private double warmUpSeconds = 1; // a third of which is left after as much again
  private double warmUp; // what the first request costs more, as a share
  private double bursts = 1; // how often a run has any request that costs something

  SimulatedRuns(long seed, Requests requests, int endpoints) {
    this.random = new SplittableRandom(seed);
    this.requests = requests;
    this.endpoints = endpoints;
  }

  /** Lets runs of the same code differ. */
  SimulatedRuns betweenRuns(double share) {
    betweenRuns = share;
    return this;
  }

  /** Lets an endpoint cost more in one of five runs, as by what was compiled. */
  SimulatedRuns sometimesDearer(double share) {
    sometimes = share;
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

  /** Lets there be so many phases in a run. */
  SimulatedRuns phases(int number) {
    phases = number;
    return this;
  }

  /** How long runs are. */
  SimulatedRuns lasting(double seconds) {
    this.seconds = seconds;
    return this;
  }

  /** Lets the first requests cost more. */
  SimulatedRuns warmingUp(double seconds, double share) {
    warmUpSeconds = seconds;
    warmUp = share;
    return this;
  }

  /** Lets requests cost something in a tenth of some runs only, and nothing in all others. */
  SimulatedRuns inBursts(double shareOfRuns) {
    bursts = shareOfRuns;
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
      ofEndpoint *= sometimes > 0 && random.nextInt(5) == 0 ? 1 + sometimes : 1;
      double ofRun = (endpoint < factors.length ? factors[endpoint] : 1) * ofEndpoint * ofMachine;
      double[][] amounts = new double[Cost.values().length][];
      Arrays.fill(amounts, new double[count]); // of what it does not simulate
      for (Cost cost : List.of(Cost.CPU, Cost.WAIT, Cost.DURATION)) {
        amounts[cost.ordinal()] = new double[count];
      }
      long[] ages = new long[count];
      double phase = 0;
      boolean isBurst = bursts < 1 && random.nextDouble() < bursts;
      int burst = random.nextInt(Math.max(1, count));
      for (int request = 0; request < count; request++) {
        if (request % Math.max(1, count / phases) == 0) {
          phase = slow * random.nextGaussian();
        }
        double age = request * seconds / count;
        double samples = requests.samples.applyAsDouble(random);
        if (bursts < 1 && !(isBurst && Math.abs(request - burst) < count / 20)) {
          samples = 0;
        }
        double times = ofRun * (1 + phase) * (1 + warmUp * Math.exp(-age / warmUpSeconds));
        double tail = requests == Requests.PARETO ? pareto(random) : 1;
        amounts[Cost.CPU.ordinal()][request] = PERIOD * samples * times;
        amounts[Cost.WAIT.ordinal()][request] = PERIOD * samples / times;
        amounts[Cost.DURATION.ordinal()][request] =
            MILLISECOND * (1 + random.nextDouble()) * tail * times;
        received.add(
            Measure.CPU, Math.round(samples * times), (long) amounts[Cost.CPU.ordinal()][request]);
        received.add(
            Measure.WAIT,
            Math.round(samples / times),
            (long) amounts[Cost.WAIT.ordinal()][request]);
        ages[request] = (long) (age * 1e9);
      }
      all.add(
          new EndpointCosts(
              "GET /" + endpoint,
              "shop",
              ages,
              new boolean[count],
              amounts,
              (one, measure) -> Map.of()));
    }
    return new Run(name, all, received, 0, List.of(seconds), Set.of("OpenJDK 21"));
  }

  private static double pareto(RandomGenerator random) {
    return Math.pow(1 - random.nextDouble(), -1 / 1.5);
  }

  private static double poisson(RandomGenerator random, double mean) {
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
