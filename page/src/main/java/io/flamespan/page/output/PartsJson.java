/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.timeline.Held;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Parts;
import io.flamespan.page.timeline.Recorded;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes parts of durations. */
final class PartsJson {
  private static final int MOST_HOLDERS = 10;
  private static final MathContext FOUR_DIGITS = new MathContext(4);

  private PartsJson() {}

  /** Writes the texts of all parts, for the page. */
  static void texts(JsonWriter json) throws IOException {
    json.name("parts").beginObject();
    for (Part part : Part.values()) {
      json.name(part.key()).value(part.text());
    }
    json.endObject();
  }

  /** Writes a sentence, and the parts of which it tells, the largest first, for the page. */
  static void write(JsonWriter json, String name, String sentence, Parts parts) throws IOException {
    json.name(name).beginObject().name("sentence").value(sentence);
    amounts(json, "amounts", parts);
    json.endObject();
  }

  /** Writes parts, the largest first, for the page. */
  static void amounts(JsonWriter json, String name, Parts parts) throws IOException {
    json.name(name).beginArray();
    for (Parts.Amount one : parts.sorted()) {
      json.beginArray().value(one.part().key()).value(one.nanos()).endArray();
    }
    json.endArray();
  }

  /**
   * Writes what was measured in each bin, for the parts of ranges of the page: the bins that have
   * any, in microseconds, and the squares of requests with four digits. Writes nothing if there is
   * nothing.
   */
  static void ofBins(JsonWriter json, @Nullable Measured[] bins) throws IOException {
    Map<String, SortedMap<Integer, Measured.Sum>> rows = new TreeMap<>();
    for (int bin = 0; bin < bins.length; bin++) {
      Measured measured = bins[bin];
      if (measured != null) {
        for (Measured.Sum sum : measured.sums()) {
          String row = sum.source().key() + " " + sum.part().key();
          rows.computeIfAbsent(row, added -> new TreeMap<>()).put(bin, sum);
        }
      }
    }
    if (rows.isEmpty()) {
      return;
    }
    json.name("measured").beginObject();
    for (Map.Entry<String, SortedMap<Integer, Measured.Sum>> row : rows.entrySet()) {
      Collection<Measured.Sum> sums = row.getValue().values();
      json.name(row.getKey()).beginObject();
      column(json, "bins", row.getValue().keySet(), bin -> bin);
      column(json, "micros", sums, sum -> Math.round(sum.nanos() / 1e3));
      if (!row.getKey().startsWith(Measured.Source.EXACT.key())) {
        column(json, "counts", sums, Measured.Sum::count);
        column(json, "squares", sums, PartsJson::squares);
      }
      json.endObject();
    }
    json.endObject();
  }

  /** The numbers in all columns that {@link #ofBins} writes for a bin at most. */
  static int numbersOfABin(Measured measured) {
    return measured.sums().stream()
        .mapToInt(sum -> sum.source() == Measured.Source.EXACT ? 2 : 4)
        .sum();
  }

  private static Number squares(Measured.Sum sum) {
    if (sum.squares() == 0) {
      return 0;
    }
    return BigDecimal.valueOf(sum.squares() / 1e6).round(FOUR_DIGITS).doubleValue();
  }

  private static <T> void column(
      JsonWriter json, String name, Collection<T> rows, Function<T, Number> value)
      throws IOException {
    json.name(name).beginArray();
    for (T row : rows) {
      json.value(value.apply(row));
    }
    json.endArray();
  }

  /** Writes the parts of which there are samples, and what may be chance, for other programs. */
  static void summary(JsonWriter json, Parts parts, Recorded recorded) throws IOException {
    json.name("partsNanos").beginObject();
    for (Part part : Part.values()) {
      if (recorded.has(part) || parts.nanos(part) > 0) {
        json.name(part.key()).value(parts.nanos(part));
      }
    }
    json.endObject();
    json.name("partsPlusMinusNanos").beginObject();
    for (Part part : Part.values()) {
      Parts.Amount amount = parts.get(part);
      if (amount.nanos() > 0 && amount.hasPlusMinus()) {
        json.name(part.key()).value(Math.round(amount.plusMinus()));
      }
    }
    json.endObject();
  }

  /** Writes who held locks last, the longest waits first. Names that are not known are left out. */
  static void lockHolders(JsonWriter json, Measured measured) throws IOException {
    if (measured.held().isEmpty()) {
      return;
    }
    json.name("lockHolders").beginArray();
    for (Map.Entry<Held, Long> one : measured.longestHeld(MOST_HOLDERS)) {
      json.beginObject();
      if (!one.getKey().lock().isEmpty()) {
        json.name("lock").value(one.getKey().lock());
      }
      if (!one.getKey().by().isEmpty()) {
        json.name("heldBy").value(one.getKey().by());
      }
      json.name("nanos").value(one.getValue());
      json.endObject();
    }
    json.endArray();
  }
}
