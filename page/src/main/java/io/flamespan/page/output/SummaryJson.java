/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.comparison.EndpointChange;
import io.flamespan.page.gate.Verdict;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.Unjoined;
import io.flamespan.page.timeline.Parts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The figures of the page for scripts, with all times in nanoseconds. */
final class SummaryJson {
  private SummaryJson() {}

  static void write(
      Path file, Results results, Optional<Comparison> comparison, Optional<Verdict> verdict)
      throws IOException {
    try (JsonWriter json = new JsonWriter(TextFiles.writer(file))) {
      json.setIndent("  ");
      json.beginObject();
      if (verdict.isPresent()) {
        GateJson.write(json, verdict.get());
      }
      sums(json, results);
      json.name("endpoints").beginArray();
      for (EndpointResult endpoint : results.endpoints(Integer.MAX_VALUE)) {
        json.beginObject();
        json.name("name").value(endpoint.name());
        json.name("service").value(endpoint.service());
        figures(json, endpoint);
        json.endObject();
      }
      json.endArray();
      if (comparison.isPresent()) {
        comparison(json, comparison.get());
      }
      json.endObject();
    }
  }

  private static void sums(JsonWriter json, Results results) throws IOException {
    json.name("received").beginObject();
    tally(json, results.received());
    json.endObject();
    json.name("notOnThePage").beginObject();
    for (Unjoined reason : Unjoined.values()) {
      json.name(reason.reason()).beginObject();
      tally(json, results.unjoined(reason));
      json.endObject();
    }
    json.endObject();
  }

  private static void figures(JsonWriter json, EndpointResult endpoint) throws IOException {
    json.name("requests").value(endpoint.requests());
    json.name("meanNanos").value(Math.round(endpoint.meanNanos()));
    json.name("p99Nanos").value(endpoint.p99Nanos());
    tally(json, endpoint.tally());
    PartsJson.summary(json, Parts.of(endpoint.measured()), endpoint.recorded());
    PartsJson.lockHolders(json, endpoint.measured());
  }

  /** Writes the endpoint that changed most first. */
  private static void comparison(JsonWriter json, Comparison comparison) throws IOException {
    json.name("comparison").beginObject();
    json.name("baseline").beginObject();
    sums(json, comparison.baseline());
    json.endObject();
    json.name("endpoints").beginArray();
    for (EndpointChange change : comparison.changes()) {
      json.beginObject();
      json.name("name").value(change.name());
      json.name("service").value(change.service());
      json.name("change").value(change.kind());
      perRequest(json, "cpuNanosPerRequest", change, Measure.CPU);
      perRequest(json, "allocatedBytesPerRequest", change, Measure.ALLOC);
      perRequest(json, "lockNanosPerRequest", change, Measure.LOCK);
      json.name("meanNanos").value(Math.round(change.meanNanos()));
      side(json, "baseline", change.before());
      side(json, "now", change.now());
      json.endObject();
    }
    json.endArray().endObject();
  }

  private static void perRequest(
      JsonWriter json, String name, EndpointChange change, Measure measure) throws IOException {
    json.name(name).value(Math.round(change.perRequest(measure)));
    double plusMinus = change.plusMinus(measure);
    if (!Double.isNaN(plusMinus)) {
      json.name(name + "PlusMinus").value(Math.round(plusMinus));
    }
  }

  /** Writes nothing if the endpoint is not on this side. */
  private static void side(JsonWriter json, String name, @Nullable EndpointResult endpoint)
      throws IOException {
    if (endpoint != null) {
      json.name(name).beginObject();
      figures(json, endpoint);
      json.endObject();
    }
  }

  private static void tally(JsonWriter json, Tally tally) throws IOException {
    json.name("samples").value(tally.samples());
    json.name("cpuNanos").value(tally.cpuNanos());
    json.name("waits").value(tally.waits());
    json.name("waitNanos").value(tally.waitNanos());
    json.name("allocations").value(tally.count(Measure.ALLOC));
    json.name("allocatedBytes").value(tally.amount(Measure.ALLOC));
    json.name("locks").value(tally.count(Measure.LOCK));
    json.name("lockNanos").value(tally.amount(Measure.LOCK));
  }
}
