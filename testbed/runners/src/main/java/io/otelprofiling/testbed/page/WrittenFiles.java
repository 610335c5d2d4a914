/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.page;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The spans and samples in files with lines of OTLP JSON, and which belong together. */
final class WrittenFiles {

  private static final int IS_REMOTE = 0x200;

  /** The type of profiles of CPU time. */
  static final String CPU = "samples";

  /** The type of profiles of allocation. */
  static final String ALLOCATION = "alloc_space";

  /**
   * Samples with the same stack and Link.
   *
   * @param amount the sum of their values, 0 without any
   */
  record Samples(String type, int count, long amount, String link, List<String> frames) {}

  private final Map<String, JsonObject> spans = new HashMap<>();
  private final List<Samples> samples = new ArrayList<>();

  private WrittenFiles() {}

  /** Reads all files below a directory. */
  static WrittenFiles read(Path directory) throws IOException {
    WrittenFiles files = new WrittenFiles();
    try (Stream<Path> below = Files.walk(directory)) {
      for (Path file : below.filter(Files::isRegularFile).toList()) {
        for (String line : Files.readAllLines(file)) {
          files.add(JsonParser.parseString(line).getAsJsonObject());
        }
      }
    }
    return files;
  }

  private void add(JsonObject message) {
    for (JsonObject resource : array(message, "resourceSpans")) {
      for (JsonObject scope : array(resource, "scopeSpans")) {
        array(scope, "spans").forEach(span -> spans.put(key(span, "spanId"), span));
      }
    }
    for (JsonObject resource : array(message, "resourceProfiles")) {
      for (JsonObject scope : array(resource, "scopeProfiles")) {
        for (JsonObject profile : array(scope, "profiles")) {
          for (JsonObject sample : array(profile, "samples")) {
            samples.add(samples(profile, sample, message.getAsJsonObject("dictionary")));
          }
        }
      }
    }
  }

  private static List<JsonObject> array(JsonObject object, String name) {
    List<JsonObject> entries = new ArrayList<>();
    if (object.has(name)) {
      object.getAsJsonArray(name).forEach(entry -> entries.add(entry.getAsJsonObject()));
    }
    return entries;
  }

  private static String key(JsonObject ids, String spanId) {
    return ids.get("traceId").getAsString() + '-' + ids.get(spanId).getAsString();
  }

  private static Samples samples(JsonObject profile, JsonObject sample, JsonObject dictionary) {
    int type = profile.getAsJsonObject("sampleType").get("typeStrindex").getAsInt();
    long amount = 0;
    if (sample.has("values")) {
      for (JsonElement value : sample.getAsJsonArray("values")) {
        amount += value.getAsLong();
      }
    }
    List<String> frames = new ArrayList<>();
    JsonArray locations =
        row(dictionary, "stackTable", sample.get("stackIndex")).getAsJsonArray("locationIndices");
    for (JsonElement location : locations) {
      JsonObject line = array(row(dictionary, "locationTable", location), "lines").get(0);
      JsonObject function = row(dictionary, "functionTable", line.get("functionIndex"));
      int name = function.get("nameStrindex").getAsInt();
      frames.add(dictionary.getAsJsonArray("stringTable").get(name).getAsString());
    }
    int link = sample.get("linkIndex").getAsInt();
    return new Samples(
        dictionary.getAsJsonArray("stringTable").get(type).getAsString(),
        sample.getAsJsonArray("timestampsUnixNano").size(),
        amount,
        link == 0 ? "" : key(row(dictionary, "linkTable", sample.get("linkIndex")), "spanId"),
        frames);
  }

  private static JsonObject row(JsonObject dictionary, String table, JsonElement index) {
    return dictionary.getAsJsonArray(table).get(index.getAsInt()).getAsJsonObject();
  }

  Collection<JsonObject> spans() {
    return spans.values();
  }

  /** Returns those of all types. */
  List<Samples> samples() {
    return samples;
  }

  List<Samples> samples(String type) {
    return samples.stream().filter(one -> one.type().equals(type)).toList();
  }

  /** Returns the name of the local root span of the span that a Link names, or an empty string. */
  String endpoint(Samples linked) {
    JsonObject span = spans.get(linked.link());
    return span == null ? "" : endpoint(span);
  }

  /** Returns the name of the span's local root span, or an empty string. */
  String endpoint(JsonObject span) {
    JsonObject root = span;
    while (root != null && root.has("parentSpanId") && !isLocalRoot(root)) {
      root = spans.get(key(root, "parentSpanId"));
    }
    return root == null ? "" : root.get("name").getAsString();
  }

  /** Returns the number of stack trace ids on the local root spans with this name. */
  long ids(String endpoint) {
    return spans.values().stream()
        .filter(WrittenFiles::isLocalRoot)
        .filter(span -> span.get("name").getAsString().equals(endpoint))
        .map(span -> attribute(span, "elastic.profiler_stack_trace_ids"))
        .mapToLong(value -> value == null ? 0 : values(value).size())
        .sum();
  }

  private static JsonArray values(JsonObject value) {
    return value.getAsJsonObject("arrayValue").getAsJsonArray("values");
  }

  /** Returns the CPU time that the threads of the endpoint have measured. */
  long threadCpuNanos(String endpoint) {
    return spans.values().stream()
        .filter(span -> endpoint(span).equals(endpoint))
        .map(span -> attribute(span, "demo.thread_cpu_nanos"))
        .mapToLong(value -> value == null ? 0 : value.get("intValue").getAsLong())
        .sum();
  }

  static boolean isLocalRoot(JsonObject span) {
    return !span.has("parentSpanId") || (span.get("flags").getAsInt() & IS_REMOTE) != 0;
  }

  /** Returns the value of an attribute, or null. */
  static JsonObject attribute(JsonObject span, String key) {
    return array(span, "attributes").stream()
        .filter(attribute -> attribute.get("key").getAsString().equals(key))
        .map(attribute -> attribute.getAsJsonObject("value"))
        .findFirst()
        .orElse(null);
  }
}
