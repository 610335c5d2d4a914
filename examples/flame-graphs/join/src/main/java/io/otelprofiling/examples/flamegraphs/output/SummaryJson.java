/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.output;

import com.google.gson.stream.JsonWriter;
import io.otelprofiling.examples.flamegraphs.results.EndpointResult;
import io.otelprofiling.examples.flamegraphs.results.Results;
import io.otelprofiling.examples.flamegraphs.results.Tally;
import io.otelprofiling.examples.flamegraphs.results.Unjoined;
import java.io.IOException;
import java.nio.file.Path;

/** The figures of the page for scripts, with all times in nanoseconds. */
final class SummaryJson {
  private SummaryJson() {}

  static void write(Path file, Results results) throws IOException {
    try (JsonWriter json = new JsonWriter(TextFiles.writer(file))) {
      json.setIndent("  ");
      json.beginObject();
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
      json.name("endpoints").beginArray();
      for (EndpointResult endpoint : results.endpoints(Integer.MAX_VALUE)) {
        json.beginObject();
        json.name("name").value(endpoint.name());
        json.name("service").value(endpoint.service());
        json.name("requests").value(endpoint.requests());
        json.name("meanNanos").value(Math.round(endpoint.meanNanos()));
        json.name("p99Nanos").value(endpoint.p99Nanos());
        tally(json, endpoint.tally());
        json.name("neitherNanos").value(endpoint.neitherNanos());
        json.endObject();
      }
      json.endArray().endObject();
    }
  }

  private static void tally(JsonWriter json, Tally tally) throws IOException {
    json.name("samples").value(tally.samples());
    json.name("cpuNanos").value(tally.cpuNanos());
    json.name("waits").value(tally.waits());
    json.name("waitNanos").value(tally.waitNanos());
  }
}
