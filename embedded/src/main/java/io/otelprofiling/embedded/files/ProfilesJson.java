/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.files;

import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.embedded.JoinedSample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A message with a profile of CPU time, whose Links name the current span. */
final class ProfilesJson {
  private static final String SCOPE = "io.otelprofiling.embedded";

  private final ProfilesDictionary dictionary = new ProfilesDictionary();
  private final JsonWriter json = new JsonWriter();

  private ProfilesJson() {}

  /**
   * Returns the samples as a line.
   *
   * @param samples at least one
   */
  static byte[] line(List<JoinedSample> samples, long periodNanos, Resource resource) {
    ProfilesJson profiles = new ProfilesJson();
    profiles.write(samples, periodNanos, resource);
    return profiles.json.line();
  }

  private void write(List<JoinedSample> samples, long periodNanos, Resource resource) {
    json.beginObject().name("resourceProfiles").beginArray().beginObject();
    CommonJson.resource(json, resource);
    json.name("scopeProfiles").beginArray().beginObject();
    json.name("scope").beginObject().name("name").string(SCOPE).endObject();
    json.name("profiles").beginArray();
    profile(samples, periodNanos);
    json.endArray().endObject().endArray();
    CommonJson.schemaUrl(json, resource.getSchemaUrl());
    json.endObject().endArray();
    dictionary.write(json);
    json.endObject();
  }

  private void profile(List<JoinedSample> samples, long periodNanos) {
    long first = samples.get(0).epochNanos;
    long last = first;
    Map<List<Integer>, List<Long>> moments = new LinkedHashMap<>();
    for (JoinedSample sample : samples) {
      first = Math.min(first, sample.epochNanos);
      last = Math.max(last, sample.epochNanos);
      moments.computeIfAbsent(row(sample), unused -> new ArrayList<>()).add(sample.epochNanos);
    }
    json.beginObject();
    valueType("sampleType", "samples", "count");
    json.name("samples").beginArray();
    moments.forEach(this::sample);
    json.endArray();
    json.name("timeUnixNano").int64(first);
    json.name("durationNano").int64(last - first);
    valueType("periodType", "cpu", "nanoseconds");
    json.name("period").int64(periodNanos).endObject();
  }

  private void valueType(String name, String type, String unit) {
    json.name(name).beginObject();
    json.name("typeStrindex").int32(dictionary.string(type));
    json.name("unitStrindex").int32(dictionary.string(unit)).endObject();
  }

  /** Returns what samples have in common that make one of the message. */
  private List<Integer> row(JoinedSample sample) {
    return Arrays.asList(
        dictionary.stack(sample.stackTrace),
        dictionary.link(sample.work),
        dictionary.attribute("thread.name", sample.threadName));
  }

  private void sample(List<Integer> row, List<Long> moments) {
    json.beginObject().name("stackIndex").int32(row.get(0)).name("linkIndex").int32(row.get(1));
    if (row.get(2) != ProfilesDictionary.NONE) {
      ProfilesDictionary.indexes(json, "attributeIndices", row.subList(2, 3));
    }
    json.name("timestampsUnixNano").beginArray();
    moments.forEach(json::int64);
    json.endArray().endObject();
  }
}
