/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.comparison;

import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTrees;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.StackRows;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import io.flamespan.page.timeline.Measured;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Requests of an endpoint, with samples of methods on CPU and with waits. */
final class SimulatedRequests {
  static final double MS = 1e6;

  private static final double PERIOD = 10 * MS;
  private static final double[] MILLIS = {30, 20, 10, 10, 5, 5}; // on CPU of a mean request

  /** How requests differ although all of them do the same. */
  enum Same {
    /** Of different sizes. */
    SIZES,
    /** Of one size: the slow ones are those with the most samples by chance. */
    NOISE,
    /** Of different sizes, beside a time of which samples do not tell. */
    OVERHEAD,
    /** What is on CPU, and a longer time of which samples do not tell, differ independently. */
    UNSAMPLED_WAITS,
    /** The same, with samples of the waits: two methods have an equal part of each. */
    WAITS,
    /** Of different sizes, and the methods have different parts of each. */
    MIXTURES,
    /** Of different sizes, with samples that come five at a time. */
    BURSTS,
    /** Of ten different durations. */
    TIES,
    /** Of different sizes, and each has the same parts on CPU and waiting, within 10 %. */
    PROPORTIONS,
    /**
     * Of one size, but each method takes long now and then, so that each is slow for another one.
     */
    TAILS,
    /** Of two sizes: one of ten is large, and the others together have few samples. */
    FEW_LARGE,
    /** Of two sizes: one of ten is small, with one sample on average. */
    FEW_SMALL
  }

  private record Request(long nanos, long[] cpu, long[] waits, Map<String, String> attributes) {}

  private final Random random;
  private final int methods;
  private Measure ofWaits = Measure.WAIT;
  private final List<Request> requests = new ArrayList<>();

  /** Takes the number of methods on CPU; there are as many that wait. */
  SimulatedRequests(Random random, int methods) {
    this.random = random;
    this.methods = methods;
  }

  static Frame onCpu(int method) {
    return new Frame("com.example.Shop.m" + method, "", "");
  }

  static Frame waiting(int method) {
    return new Frame("com.example.Wait.w" + method, "", "");
  }

  /** Adds one with nanoseconds of its methods. */
  void add(double nanos, double[] cpu, double[] waits, Map<String, String> attributes) {
    requests.add(
        new Request(
            Math.max(1, Math.round(nanos)),
            Arrays.stream(cpu).mapToLong(one -> poisson(one / PERIOD)).toArray(),
            Arrays.stream(waits).mapToLong(Math::round).toArray(),
            attributes));
  }

  /** Requests that do the same, each with so many times the usual CPU time. */
  static SimulatedRequests same(Random random, Same same, int count, double times, int values) {
    SimulatedRequests made = new SimulatedRequests(random, MILLIS.length);
    for (int i = 0; i < count; i++) {
      double sigma =
          switch (same) {
            case NOISE, TAILS, FEW_LARGE, FEW_SMALL -> 0;
            case PROPORTIONS -> 0.7;
            default -> 0.5;
          };
      double size = sigma == 0 ? 1 : Math.exp(sigma * random.nextGaussian());
      if (same == Same.FEW_LARGE) {
        size = i % 10 == 0 ? 6 : 0.001;
      } else if (same == Same.FEW_SMALL) {
        size = i % 10 == 0 ? 0.125 : 6;
      }
      long[] cpu = new long[MILLIS.length];
      long[] waits = new long[MILLIS.length];
      double nanos = random.nextDouble();
      for (int method = 0; method < cpu.length; method++) {
        double millis =
            switch (same) {
              case MIXTURES -> 80.0 / cpu.length * -Math.log(random.nextDouble());
              case TAILS -> 20 * Math.exp(2 * random.nextGaussian());
              case PROPORTIONS -> MILLIS[method] * Math.exp(0.2 * random.nextGaussian());
              default -> MILLIS[method];
            };
        double mean = millis * MS * size * times;
        cpu[method] =
            same == Same.BURSTS ? 5 * made.poisson(mean / PERIOD / 5) : made.poisson(mean / PERIOD);
        nanos += same == Same.NOISE ? cpu[method] * PERIOD : mean;
      }
      double wait = 100 * MS * times * Math.exp(0.8 * random.nextGaussian());
      if (same == Same.OVERHEAD) {
        nanos += 160 * MS * times;
      } else if (same == Same.UNSAMPLED_WAITS) {
        nanos += wait;
      } else if (same == Same.WAITS) {
        double part = Math.min(1, Math.max(0, 0.5 + 0.03 * random.nextGaussian()));
        waits[0] = Math.round(wait * part);
        waits[1] = Math.round(wait * (1 - part));
        nanos += wait;
      } else if (same == Same.PROPORTIONS) {
        waits[0] = Math.round(48 * MS * times * size * Math.exp(0.1 * random.nextGaussian()));
        nanos += waits[0];
      } else if (same == Same.TIES) {
        nanos = Math.ceil(nanos / (40 * MS * times)) * 40 * MS * times;
      }
      made.requests.add(
          new Request(
              Math.max(1, Math.round(nanos)),
              cpu,
              waits,
              values == 0 ? Map.of() : Map.of("tenant", "" + random.nextInt(values))));
    }
    return made;
  }

  /** Requests that all allocate in proportion, often a little by one method, rarely much. */
  static SimulatedRequests allocations(Random random, int count) {
    SimulatedRequests made = new SimulatedRequests(random, 2);
    made.ofWaits = Measure.ALLOC;
    for (int i = 0; i < count; i++) {
      double size = Math.exp(0.7 * random.nextGaussian());
      double[] bytes = {0.5e6 * made.poisson(6 * size), 10e6 * made.poisson(0.3 * size)};
      double nanos = 8 * MS * size * Math.exp(0.1 * random.nextGaussian());
      made.add(nanos, new double[2], bytes, Map.of());
    }
    return made;
  }

  /** What a cause adds to a request. */
  @FunctionalInterface
  interface Cause {
    double nanos(Random random);
  }

  /**
   * Requests of different sizes that all wait as well, of which some have one of several causes.
   *
   * @param slow how many have one
   */
  static SimulatedRequests withCauses(
      Random random, int count, int slow, int causes, boolean waits, Cause cause) {
    SimulatedRequests made = new SimulatedRequests(random, MILLIS.length + causes);
    for (int i = 0; i < count; i++) {
      double size = Math.exp(0.5 * random.nextGaussian());
      double wait = 40 * MS * Math.exp(0.5 * random.nextGaussian());
      double[] onCpu = new double[MILLIS.length + causes];
      double[] waiting = new double[MILLIS.length + causes];
      for (int method = 0; method < MILLIS.length; method++) {
        onCpu[method] = MILLIS[method] * MS * size;
      }
      waiting[0] = wait;
      double more = i < slow ? cause.nanos(random) : 0;
      if (i < slow) {
        (waits ? waiting : onCpu)[MILLIS.length + i % causes] = more;
      }
      made.add(80 * MS * size + wait + more, onCpu, waiting, Map.of());
    }
    return made;
  }

  /** The method that is the first cause. */
  static Frame cause(boolean waits) {
    return waits ? waiting(MILLIS.length) : onCpu(MILLIS.length);
  }

  RequestStacks stacks() {
    requests.sort(Comparator.comparingLong(one -> -one.nanos()));
    StackTree tree = new StackTree(2 * methods + 1);
    Frames frames = new Frames();
    for (int method = 0; method < 2 * methods; method++) {
      Frame frame = method < methods ? onCpu(method) : waiting(method - methods);
      tree.child(StackTree.ROOT, frames.number(frame));
    }
    return new RequestStacks(
        requests.size(),
        () -> requests.stream().map(this::dot).toList(),
        () -> requests.stream().map(Request::attributes).toList(),
        place -> rows(requests.get(place)),
        tree,
        frames,
        new FlameTrees(tree, frames));
  }

  private StackRows rows(Request request) {
    return visitor -> {
      for (int method = 0; method < methods; method++) {
        long samples = request.cpu()[method];
        if (samples > 0) {
          visitor.row(method + 1, -1, Measure.CPU, samples, samples * (long) PERIOD);
        }
        if (request.waits()[method] > 0) {
          visitor.row(methods + method + 1, -1, ofWaits, 1, request.waits()[method]);
        }
      }
    };
  }

  private EndpointResult.Dot dot(Request request) {
    return new EndpointResult.Dot(
        "", 0, 1, true, request.nanos(), tally(request), new Measured(request.nanos()));
  }

  private Tally tally(Request request) {
    Tally tally = new Tally();
    rows(request)
        .forEach((stack, bin, measure, count, amount) -> tally.add(measure, count, amount));
    return tally;
  }

  /** Compares them, alone on a page. */
  static SlowRequests slow(RequestStacks stacks, Groups groups) {
    GroupComparison comparison = new GroupComparison(stacks, groups);
    stacks.methods(Set.of(Column.OWN), OwnCode.withoutLibraries(), comparison);
    Tally sum = new Tally();
    stacks.all().forEach(one -> sum.add(one.tally()));
    return new SlowRequests(stacks, groups, comparison, sum.ofTime(), 1);
  }

  private long poisson(double mean) {
    if (mean > 200) {
      return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
    double left = Math.exp(-mean);
    double product = random.nextDouble();
    int count = 0;
    while (product > left) {
      product *= random.nextDouble();
      count++;
    }
    return count;
  }
}
