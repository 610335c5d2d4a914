/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Frames;
import io.flamespan.page.results.LineTally;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Sentence;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.TimeSlices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.zip.CRC32;

/** Writes flame graphs and sums as JSON. Frames are numbered and written once, at the end. */
final class Graphs {
  private static final int LONGEST_NAME = 500;
  private static final int MOST_LINES = 300;

  private final JsonWriter json;
  private final Frames shown = new Frames();

  Graphs(JsonWriter json) {
    this.json = json;
  }

  void tree(FlameTree tree) throws IOException {
    json.name("tree").beginObject();
    shape(tree);
    for (Measure measure : tree.tally(0).measures()) {
      numbers(counts(measure), tree.size(), node -> tree.count(measure, node));
      numbers(amounts(measure), tree.size(), node -> tree.amount(measure, node));
    }
    json.endObject();
  }

  /**
   * Writes the cells in the order of their bins. CPU time is without numbers of samples if each
   * sample stands for the same time. How many durations are known is left out if all are.
   */
  void slices(TimeSlices slices) throws IOException {
    Tally all = new Tally();
    slices.cells().values().forEach(all::add);
    json.name("slices").beginObject();
    TimeSlices.Bins bins = slices.bins();
    numbers("requests", bins.requests().length, bin -> bins.requests()[bin]);
    if (!Arrays.equals(bins.known(), bins.requests())) {
      numbers("known", bins.known().length, bin -> bins.known()[bin]);
    }
    numbers("durations", bins.requests().length, bin -> bins.durationNanos()[bin]);
    numbers("samples", bins.requests().length, bin -> bins.samples()[bin]);
    PartsJson.ofBins(json, bins.measured());
    shape(slices.tree());
    long[] cells = slices.cells().keySet().toLongArray();
    Arrays.sort(cells);
    numbers("bin", cells.length, cell -> TimeSlices.bin(cells[cell]));
    numbers("node", cells.length, cell -> TimeSlices.node(cells[cell]));
    Tally[] tallies = Arrays.stream(cells).mapToObj(slices.cells()::get).toArray(Tally[]::new);
    for (Measure measure : all.measures()) {
      numbers(amounts(measure), cells.length, cell -> tallies[cell].amount(measure));
      if (measure == Measure.CPU) {
        long each = Math.max(1, all.cpuNanos() / Math.max(1, all.samples()));
        if (Arrays.stream(tallies).allMatch(one -> one.cpuNanos() == each * one.samples())) {
          json.name("sampleNanos").value(each);
        } else {
          numbers("cpuSamples", cells.length, cell -> tallies[cell].samples());
        }
      } else {
        numbers(counts(measure), cells.length, cell -> tallies[cell].count(measure));
      }
    }
    json.endObject();
  }

  private void shape(FlameTree tree) throws IOException {
    numbers("parent", tree.size(), tree::parent);
    numbers("frame", tree.size(), node -> shown.number(tree.frame(node)));
    json.name("leftOut").value(tree.leftOut());
  }

  /** The number by which graphs name the frame. */
  int number(Frame frame) {
    return shown.number(frame);
  }

  /** Writes a column. */
  void numbers(String name, int size, IntToLongFunction number) throws IOException {
    json.name(name).beginArray();
    for (int i = 0; i < size; i++) {
      json.value(number.applyAsLong(i));
    }
    json.endArray();
  }

  /** Writes the frames of all graphs that were written, and which of them sentences name. */
  void frames(Sentence sentence) throws IOException {
    StringBuilder named = new StringBuilder();
    json.name("frames").beginArray();
    for (int number = 0; number < shown.size(); number++) {
      Frame frame = shown.get(number);
      named.append(sentence.isOwn(frame) ? 'o' : sentence.isNamed(frame) ? 'j' : '-');
      json.beginArray().value(cut(frame.name())).value(cut(frame.file())).value(frame.kind());
      if (!frame.raw().equals(frame.name())) {
        json.value(cut(frame.raw()));
      }
      json.endArray();
    }
    json.endArray();
    json.name("named").value(named.toString());
  }

  /** Writes nothing if the lines are unknown. */
  void lines(List<LineTally> lines) throws IOException {
    if (lines.isEmpty()) {
      return;
    }
    List<LineTally> written = lines.subList(0, Math.min(lines.size(), MOST_LINES));
    Tally all = new Tally();
    written.forEach(one -> all.add(one.tally()));
    json.name("lines").beginObject();
    numbers("frame", written.size(), i -> shown.number(written.get(i).frame()));
    numbers("line", written.size(), i -> written.get(i).line());
    for (Measure measure : Measure.values()) {
      if (measure == Measure.CPU || all.amount(measure) > 0) {
        numbers(amounts(measure), written.size(), i -> written.get(i).tally().amount(measure));
      }
    }
    json.endObject();
  }

  void tally(String name, Tally tally) throws IOException {
    json.name(name).beginObject();
    for (Measure measure : tally.measures()) {
      json.name(counts(measure)).value(tally.count(measure));
      json.name(amounts(measure)).value(tally.amount(measure));
    }
    json.endObject();
  }

  /** The name of numbers of samples. */
  private static String counts(Measure measure) {
    return switch (measure) {
      case CPU -> "samples";
      case WAIT -> "waits";
      case ALLOC -> "allocations";
      case LOCK -> "locks";
    };
  }

  /** The name of amounts, see lens.js. */
  static String amounts(Measure measure) {
    return switch (measure) {
      case CPU -> "cpu";
      case WAIT -> "waiting";
      case ALLOC -> "allocated";
      case LOCK -> "locking";
    };
  }

  /** Cuts a long name. Its checksum tells it from others with the same beginning. */
  static String cut(String name) {
    if (name.length() <= LONGEST_NAME) {
      return name;
    }
    CRC32 checksum = new CRC32();
    checksum.update(name.getBytes(StandardCharsets.UTF_8));
    return TextFiles.cut(name, LONGEST_NAME)
        + " #"
        + HexFormat.of().toHexDigits((int) checksum.getValue());
  }
}
