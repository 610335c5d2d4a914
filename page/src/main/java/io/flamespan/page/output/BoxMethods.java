/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What methods have in each of the chosen requests, of all stacks: what a graph sums up does not
 * change it. Methods that have the same in all requests, as those of a chain of calls, are
 * together.
 */
final class BoxMethods {
  private static final Set<Column> COLUMNS = Set.of(Column.SELF, Column.TOTAL);

  /** What a method has in all requests. */
  private static final class Sums {
    final int frame;
    final Column column;
    final Measure measure;
    int cells;
    double squares; // of the shares of the kind
    long hash;

    Sums(int frame, Column column, Measure measure) {
      this.frame = frame;
      this.column = column;
      this.measure = measure;
    }

    void add(int place, long amount, double share) {
      cells++;
      squares += share * share;
      hash = (hash ^ place) * 0x9E3779B97F4A7C15L;
      hash = (hash ^ hash >>> 29 ^ amount) * 0xBF58476D1CE4E5B9L;
    }
  }

  private record Content(Measure measure, int cells, long hash) {}

  /** Methods with the same content. */
  private static final class Row {
    final Sums first;
    final IntArrayList self = new IntArrayList(); // the frames that have it
    final IntArrayList total = new IntArrayList();
    final IntArrayList requests = new IntArrayList();
    final LongArrayList amounts = new LongArrayList();

    Row(Sums first) {
      this.first = first;
    }
  }

  private final RequestStacks stacks;
  private final List<Row> rows = new ArrayList<>();

  /**
   * Takes those of which requests have the largest shares, as many as there is room for.
   *
   * @param places of the chosen requests
   * @param shown the numbers of the methods of the graph
   */
  BoxMethods(RequestStacks stacks, int[] places, BitSet shown, int mostCells) {
    this.stacks = stacks;
    Map<Content, Row> byContent = new LinkedHashMap<>();
    for (Sums sums : ordered(places, shown)) {
      Content content = new Content(sums.measure, sums.cells, sums.hash);
      Row row = byContent.computeIfAbsent(content, added -> new Row(sums));
      (sums.column == Column.SELF ? row.self : row.total).add(sums.frame);
    }
    Int2ObjectOpenHashMap<Row> chosen = new Int2ObjectOpenHashMap<>();
    int room = mostCells;
    for (Row row : byContent.values()) {
      Sums first = row.first;
      if (first.cells <= room) {
        room -= first.cells;
        rows.add(row);
        chosen.put(key(first.frame, first.column, first.measure), row);
      }
    }
    int[] requestOf = new int[stacks.all().size()];
    for (int request = 0; request < places.length; request++) {
      requestOf[places[request]] = request;
    }
    stacks.methods(
        places,
        COLUMNS,
        OwnCode.withoutLibraries(),
        (place, frame, column, measure, amount) -> {
          Row row = chosen.get(key(frame, column, measure));
          if (row != null) {
            row.requests.add(requestOf[place]);
            row.amounts.add(amount);
          }
        });
  }

  private static int key(int frame, Column column, Measure measure) {
    return (frame * Measure.COUNT + measure.ordinal()) * Column.COUNT + column.ordinal();
  }

  /** Those with the largest shares first. */
  private List<Sums> ordered(int[] places, BitSet shown) {
    List<EndpointResult.Dot> all = stacks.all();
    Int2ObjectOpenHashMap<Sums> sums = new Int2ObjectOpenHashMap<>();
    stacks.methods(
        places,
        COLUMNS,
        OwnCode.withoutLibraries(),
        (place, frame, column, measure, amount) -> {
          if (shown.get(frame)) {
            double kind = Math.max(amount, all.get(place).tally().amount(measure));
            sums.computeIfAbsent(
                    key(frame, column, measure), added -> new Sums(frame, column, measure))
                .add(place, amount, amount / kind);
          }
        });
    return sums.values().stream()
        .sorted(
            Comparator.comparingDouble((Sums one) -> -one.squares)
                .thenComparing(one -> key(one.frame, one.column, one.measure)))
        .toList();
  }

  void write(JsonWriter json, Graphs graphs) throws IOException {
    json.name("methods").beginObject();
    for (Measure measure : Measure.values()) {
      json.name(Graphs.amounts(measure)).beginArray();
      for (Row row : rows) {
        if (row.first.measure == measure) {
          json.beginObject();
          frames(json, graphs, "self", row.self);
          frames(json, graphs, "total", row.total);
          graphs.numbers("request", row.requests.size(), row.requests::getInt);
          graphs.numbers("amount", row.amounts.size(), row.amounts::getLong);
          json.endObject();
        }
      }
      json.endArray();
    }
    json.endObject();
  }

  private void frames(JsonWriter json, Graphs graphs, String name, IntArrayList frames)
      throws IOException {
    json.name(name).beginArray();
    for (int i = 0; i < frames.size(); i++) {
      json.value(graphs.number(stacks.frame(frames.getInt(i))));
    }
    json.endArray();
  }
}
