/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.output;

import com.google.gson.stream.JsonWriter;
import io.otelprofiling.examples.flamegraphs.model.Endpoint;
import io.otelprofiling.examples.flamegraphs.model.Join;
import io.otelprofiling.examples.flamegraphs.model.Tally;
import io.otelprofiling.examples.flamegraphs.model.Unjoined;
import java.io.IOException;
import java.nio.file.Path;

/** The figures of the page for scripts, with all times in nanoseconds. */
final class SummaryJson {
  private SummaryJson() {}

  static void write(Path file, Join join, Tally received) throws IOException {
    try (JsonWriter json = new JsonWriter(TextFiles.writer(file))) {
      json.setIndent("  ");
      json.beginObject();
      json.name("received").beginObject();
      tally(json, received);
      json.endObject();
      json.name("notOnThePage").beginObject();
      for (Unjoined reason : Unjoined.values()) {
        json.name(reason.reason()).beginObject();
        tally(json, join.unjoined(reason));
        json.endObject();
      }
      json.endObject();
      json.name("endpoints").beginArray();
      for (Endpoint endpoint : join.endpoints()) {
        json.beginObject();
        json.name("name").value(endpoint.name());
        json.name("service").value(endpoint.service());
        json.name("requests").value(endpoint.requests().size());
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
