/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.MethodSpread;
import io.flamespan.page.results.Spread;
import io.flamespan.page.results.Tally;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes by how much the requests of an endpoint differ, which chance.js needs. Each is two
 * numbers, see {@link Spread#cluster} and {@link Spread#skew}.
 */
final class Spreads {
  private static final double LIKE_SAMPLES = 0.05;

  private final JsonWriter json;
  private final Graphs graphs;
  private final long requests;
  private final Tally tally = new Tally();
  private final Map<Frame, MethodSpread> methods;
  private final List<EndpointResult> sides;

  /** Takes an endpoint, or the same one of both sides of a comparison. */
  Spreads(JsonWriter json, Graphs graphs, List<EndpointResult> sides) {
    this(json, graphs, sides, sides.stream().map(EndpointResult::methods).toList());
  }

  /** The same with what is known of the methods of each side. */
  Spreads(
      JsonWriter json,
      Graphs graphs,
      List<EndpointResult> sides,
      List<Map<Frame, MethodSpread>> ofSides) {
    this.json = json;
    this.graphs = graphs;
    this.sides = sides;
    requests = sides.stream().mapToLong(EndpointResult::requests).sum();
    for (EndpointResult side : sides) {
      tally.add(side.tally());
    }
    methods = ofSides.size() == 1 ? ofSides.get(0) : sum(ofSides);
  }

  private static Map<Frame, MethodSpread> sum(List<Map<Frame, MethodSpread>> ofSides) {
    Map<Frame, MethodSpread> sum = new HashMap<>();
    for (Map<Frame, MethodSpread> side : ofSides) {
      side.forEach(
          (frame, spread) -> sum.computeIfAbsent(frame, added -> new MethodSpread()).add(spread));
    }
    return sum;
  }

  /**
   * Writes the spreads of the endpoint and of the methods in the tree. Methods whose samples come
   * independently of each other are left out, as most do.
   */
  void write(FlameTree tree) throws IOException {
    Set<Frame> frames = new LinkedHashSet<>();
    for (int node = 1; node < tree.size(); node++) {
      frames.add(tree.frame(node));
    }
    json.name("spread").beginObject();
    for (Measure measure : tally.measures()) {
      Spread whole = new Spread();
      sides.forEach(side -> whole.add(side.spread(measure)));
      json.name(Graphs.amounts(measure)).beginObject();
      json.name("whole");
      write(whole);
      if (!methods.isEmpty()) {
        json.name("methods").beginArray();
        for (Frame frame : frames) {
          MethodSpread method = methods.get(frame);
          if (method != null) {
            write(measure, frame, method);
          }
        }
        json.endArray();
      }
      json.endObject();
    }
    json.endObject();
  }

  private void write(Measure measure, Frame frame, MethodSpread method) throws IOException {
    double sample = (double) tally.amount(measure) / Math.max(1, tally.count(measure));
    Spread self = method.self(measure);
    Spread total = method.total(measure);
    if (isUnlike(self, sample) || isUnlike(total, sample)) {
      json.beginArray().value(graphs.number(frame));
      for (Spread spread : new Spread[] {self, total}) {
        write(spread);
      }
      json.endArray();
    }
  }

  private boolean isUnlike(Spread spread, double sample) {
    return isUnlike(spread.cluster(requests), sample) || isUnlike(spread.skew(requests), sample);
  }

  /** Without an amount, a spread is 0. */
  private static boolean isUnlike(double number, double sample) {
    return number != 0 && Math.abs(number - sample) > LIKE_SAMPLES * sample;
  }

  private void write(Spread spread) throws IOException {
    json.beginArray();
    json.value(Math.round(spread.cluster(requests))).value(Math.round(spread.skew(requests)));
    json.endArray();
  }
}
