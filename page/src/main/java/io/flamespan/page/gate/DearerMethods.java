/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The own methods, with the libraries that they call, that made an endpoint dearer. Each is judged
 * as its endpoint is, with a part of its level.
 */
final class DearerMethods {
  private static final int MOST = 5;

  /** What methods have on one side. */
  private static final class OfSide {
    private final Map<Frame, double[]> sums = new HashMap<>(); // by unit
    private final Map<Frame, Spread> spreads = new HashMap<>();
    private final List<Integer> requestsOfUnits = new ArrayList<>();
    private final boolean unitIsRun;
    private long requests;

    OfSide(List<EndpointCosts> runs, Measure measure, boolean unitIsRun) {
      this.unitIsRun = unitIsRun;
      int units = runs.stream().mapToInt(run -> Side.blocks(run.requests(), unitIsRun)).sum();
      for (EndpointCosts run : runs) {
        int blocks = Side.blocks(run.requests(), unitIsRun);
        for (int block = 0; block < blocks; block++) {
          int from = Side.begin(block, blocks, run.requests());
          int to = Side.begin(block + 1, blocks, run.requests());
          for (int request = from; request < to; request++) {
            run.methods()
                .of(request, measure)
                .forEach((frame, amount) -> add(frame, amount, units));
          }
          requestsOfUnits.add(to - from);
        }
        requests += run.requests();
      }
    }

    private void add(Frame frame, double amount, int units) {
      sums.computeIfAbsent(frame, added -> new double[units])[requestsOfUnits.size()] += amount;
      spreads.computeIfAbsent(frame, added -> new Spread()).add(amount);
    }

    Side side(Frame frame) {
      double[] units = sums.getOrDefault(frame, new double[requestsOfUnits.size()]).clone();
      double amount = 0;
      for (int unit = 0; unit < units.length; unit++) {
        amount += units[unit];
        units[unit] /= requestsOfUnits.get(unit);
      }
      return new Side(
          units, unitIsRun, requests, amount, spreads.getOrDefault(frame, new Spread()));
    }
  }

  private DearerMethods() {}

  /** The largest changes first. */
  static List<Verdict.MethodRow> of(Row row, Sides sides, double level, BetweenRuns between) {
    Cost cost = row.cost().ofMethods();
    Measure measure = cost == null ? null : cost.measure();
    if (cost == null || measure == null) {
      return List.of();
    }
    Sides.Key key = new Sides.Key(row.endpoint(), row.service());
    OfSide a = of(sides.a(), key, measure);
    OfSide b = of(sides.b(), key, measure);
    double whole = row.a() * row.requestsOfA() + row.b() * row.requestsOfB();
    List<Verdict.MethodRow> found = new ArrayList<>();
    for (Frame frame : b.sums.keySet()) {
      Side ofA = a.side(frame);
      Side ofB = b.side(frame);
      Effect effect = Effect.of(ofA, ofB, Gate.sample(cost, sides), row.limit(), between);
      double ofMethod = level * Math.min(1, (ofA.amount() + ofB.amount()) / whole);
      if (effect.chance() <= ofMethod) {
        found.add(
            new Verdict.MethodRow(
                row.cost(),
                row.endpoint(),
                row.service(),
                frame.name(),
                ofA.mean(),
                ofB.mean(),
                ofA.mean() * effect.plusMinus(ofMethod)));
      }
    }
    found.sort(
        Comparator.comparingDouble((Verdict.MethodRow one) -> one.a() - one.b())
            .thenComparing(Verdict.MethodRow::method));
    return found.subList(0, Math.min(MOST, found.size()));
  }

  private static OfSide of(List<Run> runs, Sides.Key key, Measure measure) {
    return new OfSide(Sides.endpoints(runs).getOrDefault(key, List.of()), measure, runs.size() > 1);
  }
}
