/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.messages;

import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.status.Origin;
import io.otelprofiling.embedded.JoinedSample;
import io.otelprofiling.embedded.SampleKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A message with a profile for each kind of sample.
 *
 * <p>Source: opentelemetry-proto 1.11.0, {@code ProfilesData}, which has the same fields as {@code
 * ExportProfilesServiceRequest}.
 */
public final class ProfilesMessage {
  private static final String SCOPE = "io.otelprofiling.embedded";

  /** Receivers of gRPC accept four megabytes by default, and a sample has hardly 500 bytes. */
  private static final int MAX_SAMPLES = 5_000;

  private final ProfilesDictionary dictionary;
  private final List<JoinedSample> samples;
  private final long periodNanos;
  private final Resource resource;

  /**
   * Returns samples as messages that receivers accept.
   *
   * @param linksNameLocalRoots whether Links name the local root span instead of the current span
   */
  public static List<ProfilesMessage> of(
      List<JoinedSample> samples,
      long periodNanos,
      Resource resource,
      boolean linksNameLocalRoots) {
    List<ProfilesMessage> messages = new ArrayList<>();
    for (int from = 0; from < samples.size(); from += MAX_SAMPLES) {
      List<JoinedSample> part = samples.subList(from, Math.min(from + MAX_SAMPLES, samples.size()));
      messages.add(new ProfilesMessage(part, periodNanos, resource, linksNameLocalRoots));
    }
    return messages;
  }

  private ProfilesMessage(
      List<JoinedSample> samples,
      long periodNanos,
      Resource resource,
      boolean linksNameLocalRoots) {
    this.dictionary = new ProfilesDictionary(linksNameLocalRoots);
    this.samples = samples;
    this.periodNanos = periodNanos;
    this.resource = resource;
  }

  /** Returns the message as a line of JSON. */
  public byte[] json() {
    JsonWriter json = new JsonWriter();
    json.beginObject();
    write(new JsonMessage(json));
    return json.endObject().line();
  }

  /** Returns the message in protobuf. */
  public byte[] protobuf() {
    BinaryMessage message = new BinaryMessage();
    write(message);
    return message.toBytes();
  }

  private void write(OtlpMessage message) {
    message.messages(
        1, "resourceProfiles", Collections.singleton(resource), this::resourceProfiles);
    message.message(2, "dictionary", dictionary::write); // filled by what precedes
  }

  private void resourceProfiles(OtlpMessage message, Resource resource) {
    message.resource(1, "resource", resource);
    message.messages(2, "scopeProfiles", Collections.singleton(SCOPE), this::scopeProfiles);
    String schemaUrl = resource.getSchemaUrl();
    if (schemaUrl != null) {
      message.string(3, "schemaUrl", schemaUrl);
    }
  }

  private void scopeProfiles(OtlpMessage message, String name) {
    message.message(
        1,
        "scope",
        scope -> {
          scope.string(1, "name", name);
          scope.string(2, "version", Origin.version());
        });
    Map<SampleKind, List<JoinedSample>> kinds = new EnumMap<>(SampleKind.class);
    for (JoinedSample sample : samples) {
      kinds.computeIfAbsent(sample.kind, unused -> new ArrayList<>()).add(sample);
    }
    message.messages(2, "profiles", kinds.values(), this::profile);
  }

  private void profile(OtlpMessage message, List<JoinedSample> samples) {
    long first = samples.get(0).epochNanos;
    long last = first;
    Map<List<Integer>, List<JoinedSample>> rows = new LinkedHashMap<>();
    for (JoinedSample sample : samples) {
      first = Math.min(first, sample.epochNanos);
      last = Math.max(last, sample.epochNanos);
      rows.computeIfAbsent(row(sample), unused -> new ArrayList<>()).add(sample);
    }
    SampleKind kind = samples.get(0).kind;
    message.message(1, "sampleType", type -> sampleType(type, kind));
    message.messages(2, "samples", rows.entrySet(), this::sample);
    message.fixed64(3, "timeUnixNano", first);
    message.int64(4, "durationNano", last - first + 1); // the end does not belong to it
    if (kind == SampleKind.CPU) {
      message.message(5, "periodType", type -> valueType(type, "cpu", "nanoseconds"));
      message.int64(6, "period", periodNanos);
    }
  }

  private void sampleType(OtlpMessage message, SampleKind kind) {
    switch (kind) {
      case ALLOC:
        valueType(message, "alloc_space", "bytes");
        break;
      case LOCK:
        valueType(message, "lock", "nanoseconds");
        break;
      case WALL:
        valueType(message, "off_cpu", "nanoseconds");
        break;
      default:
        valueType(message, "samples", "count");
    }
  }

  private void valueType(OtlpMessage message, String type, String unit) {
    message.int32(1, "typeStrindex", dictionary.string(type));
    message.int32(2, "unitStrindex", dictionary.string(unit));
  }

  /** Returns what samples have in common that make one of the message. */
  private List<Integer> row(JoinedSample sample) {
    return Arrays.asList(
        dictionary.stack(sample.stackTrace),
        dictionary.link(sample.work),
        dictionary.attribute("thread.name", sample.threadName));
  }

  private void sample(OtlpMessage message, Map.Entry<List<Integer>, List<JoinedSample>> sample) {
    List<Integer> row = sample.getKey();
    List<Long> amounts = new ArrayList<>();
    List<Long> moments = new ArrayList<>();
    for (JoinedSample one : sample.getValue()) {
      if (one.kind != SampleKind.CPU) {
        amounts.add(one.amount(periodNanos));
      }
      moments.add(one.epochNanos);
    }
    message.int32(1, "stackIndex", row.get(0));
    if (row.get(2) != ProfilesDictionary.NONE) {
      message.int32s(2, "attributeIndices", row.subList(2, 3));
    }
    message.int32(3, "linkIndex", row.get(1));
    if (!amounts.isEmpty()) {
      message.int64s(4, "values", amounts);
    }
    message.fixed64s(5, "timestampsUnixNano", moments);
  }
}
