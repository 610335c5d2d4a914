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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes parts of durations. */
final class PartsJson {
  private static final int MOST_HOLDERS = 10;

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

  /** Writes who held locks, the one that did for the longest first. */
  static void lockHolders(JsonWriter json, Measured measured) throws IOException {
    if (measured.held().isEmpty()) {
      return;
    }
    json.name("lockHolders").beginArray();
    List<Map.Entry<Held, Long>> sorted = new ArrayList<>(measured.held().entrySet());
    sorted.sort(
        Map.Entry.<Held, Long>comparingByValue()
            .reversed()
            .thenComparing(one -> one.getKey().toString()));
    for (Map.Entry<Held, Long> one : sorted.subList(0, Math.min(MOST_HOLDERS, sorted.size()))) {
      json.beginObject();
      json.name("lock").value(one.getKey().lock());
      json.name("heldBy").value(one.getKey().by());
      json.name("nanos").value(one.getValue());
      json.endObject();
    }
    json.endArray();
  }
}
