/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** Builds a message with one profile, as a profiler would. */
final class ProfileData {
  static final long PERIOD_NANOS = 10_000_000;

  private final ProfilesDictionary.Builder dictionary = ProfilesDictionary.newBuilder();
  private final Profile.Builder profile = Profile.newBuilder();
  private final Map<Object, Integer> known = new HashMap<>();
  private Map<String, String> kinds = Map.of();
  private Map<String, String> files = Map.of();
  private Map<String, Integer> lines = Map.of();
  private String service = "";

  ProfileData() {
    string("");
    dictionary.addMappingTable(Mapping.getDefaultInstance());
    dictionary.addLocationTable(Location.getDefaultInstance());
    dictionary.addFunctionTable(Function.getDefaultInstance());
    dictionary.addLinkTable(Link.getDefaultInstance());
    dictionary.addAttributeTable(KeyValueAndUnit.getDefaultInstance());
    dictionary.addStackTable(Stack.getDefaultInstance());
    type("samples", "count").period("cpu", "nanoseconds", PERIOD_NANOS);
  }

  ProfileData service(String name) {
    service = name;
    return this;
  }

  /** Sets the time at which the profile begins. */
  ProfileData time(long unixNanos) {
    profile.setTimeUnixNano(unixNanos);
    return this;
  }

  ProfileData type(String type, String unit) {
    profile.setSampleType(valueType(type, unit));
    return this;
  }

  ProfileData period(String type, String unit, long period) {
    profile.setPeriodType(valueType(type, unit)).setPeriod(period);
    return this;
  }

  /** Adds a sample, without a Link if the trace is empty. The outermost frame comes first. */
  ProfileData sample(byte[] trace, byte[] span, long startNanos, int count, List<String> frames) {
    return sample(trace, span, startNanos, count * PERIOD_NANOS, count, frames);
  }

  /** Adds one that is spread over this time, by as many threads as that takes. */
  ProfileData sample(
      byte[] trace, byte[] span, long startNanos, long nanos, int count, List<String> frames) {
    Sample.Builder sample =
        Sample.newBuilder().setStackIndex(stack(frames)).setLinkIndex(link(trace, span));
    for (int i = 0; i < count; i++) {
      sample.addTimestampsUnixNano(startNanos + i * nanos / count);
    }
    profile.addSamples(sample);
    return this;
  }

  /**
   * Sets the kinds of frames by their names, of which trailing spaces are removed. Others are
   * "jvm".
   */
  ProfileData kinds(Map<String, String> ofFrames) {
    kinds = ofFrames;
    return this;
  }

  /** The same of their files. Others have none. */
  ProfileData files(Map<String, String> ofFrames) {
    files = ofFrames;
    return this;
  }

  /** Sets the lines of frames by their names, of which trailing spaces are removed. */
  ProfileData lines(Map<String, Integer> ofFrames) {
    lines = ofFrames;
    return this;
  }

  /** Adds a sample without a Link, on a thread of this name, which may be empty. */
  ProfileData threadSample(String thread, long startNanos, int count, List<String> frames) {
    Sample.Builder sample = ofThread(thread, frames);
    for (int i = 0; i < count; i++) {
      sample.addTimestampsUnixNano(startNanos + i * PERIOD_NANOS);
    }
    profile.addSamples(sample);
    return this;
  }

  /** Adds a sample of a thread for a request of this name that is not sampled. */
  ProfileData notSampled(
      String name, String thread, long startNanos, int count, List<String> frames) {
    Sample.Builder sample =
        ofThread(thread, frames).addAttributeIndices(attribute("not_sampled.span.name", name));
    for (int i = 0; i < count; i++) {
      sample.addTimestampsUnixNano(startNanos + i * PERIOD_NANOS);
    }
    profile.addSamples(sample);
    return this;
  }

  ProfileData threadValue(String thread, long value, List<String> frames) {
    profile.addSamples(timed(ofThread(thread, frames).addValues(value)));
    return this;
  }

  /** With the time of the profile, if that was set before. */
  private Sample.Builder timed(Sample.Builder sample) {
    long time = profile.getTimeUnixNano();
    return time == 0 ? sample : sample.addTimestampsUnixNano(time);
  }

  private Sample.Builder ofThread(String thread, List<String> frames) {
    Sample.Builder sample = Sample.newBuilder().setStackIndex(stack(frames));
    if (!thread.isEmpty()) {
      sample.addAttributeIndices(attribute("thread.name", thread));
    }
    return sample;
  }

  ProfileData value(byte[] trace, byte[] span, long value, List<String> frames) {
    profile.addSamples(
        timed(
            Sample.newBuilder()
                .setStackIndex(stack(frames))
                .setLinkIndex(link(trace, span))
                .addValues(value)));
    return this;
  }

  /** Adds a value at a time, of a thread whose name may be empty. */
  ProfileData timed(
      byte[] trace, byte[] span, String thread, long unixNanos, long value, List<String> frames) {
    profile.addSamples(
        ofThread(thread, frames)
            .setLinkIndex(link(trace, span))
            .addValues(value)
            .addTimestampsUnixNano(unixNanos));
    return this;
  }

  /**
   * Adds a wait for a lock.
   *
   * @param attributes who held it
   */
  ProfileData held(
      byte[] trace,
      byte[] span,
      long unixNanos,
      long nanos,
      List<String> frames,
      Map<String, String> attributes) {
    Sample.Builder sample =
        ofThread("", frames)
            .setLinkIndex(link(trace, span))
            .addValues(nanos)
            .addTimestampsUnixNano(unixNanos);
    attributes.forEach((key, value) -> sample.addAttributeIndices(attribute(key, value)));
    profile.addSamples(sample);
    return this;
  }

  ProfileData sample(Sample sample) {
    profile.addSamples(sample);
    return this;
  }

  ProfilesData build() {
    ProfilesData.Builder data = ProfilesData.newBuilder().setDictionary(dictionary);
    data.addResourceProfilesBuilder()
        .setResource(TraceData.resource(service))
        .addScopeProfilesBuilder()
        .addProfiles(profile);
    return data.build();
  }

  private ValueType valueType(String type, String unit) {
    return ValueType.newBuilder()
        .setTypeStrindex(string(type))
        .setUnitStrindex(string(unit))
        .build();
  }

  /** Without computeIfAbsent, because adding one may add others. */
  private int index(Object key, IntSupplier add) {
    Integer index = known.get(key);
    if (index == null) {
      index = add.getAsInt() - 1;
      known.put(key, index);
    }
    return index;
  }

  private int string(String text) {
    return index(text, () -> dictionary.addStringTable(text).getStringTableCount());
  }

  /** Returns the index, for samples that are added as messages. */
  int link(byte[] trace, byte[] span) {
    if (trace.length == 0) {
      return 0;
    }
    Link link =
        Link.newBuilder()
            .setTraceId(ByteString.copyFrom(trace))
            .setSpanId(ByteString.copyFrom(span))
            .build();
    return index(link, () -> dictionary.addLinkTable(link).getLinkTableCount());
  }

  private int stack(List<String> frames) {
    return index(
        frames,
        () -> {
          Stack.Builder stack = Stack.newBuilder();
          for (int i = frames.size() - 1; i >= 0; i--) {
            stack.addLocationIndices(location(frames.get(i)));
          }
          return dictionary.addStackTable(stack).getStackTableCount();
        });
  }

  private int location(String frame) {
    Function function =
        Function.newBuilder()
            .setNameStrindex(string(frame.stripTrailing()))
            .setFilenameStrindex(string(files.getOrDefault(frame, "")))
            .build();
    int line = index(function, () -> dictionary.addFunctionTable(function).getFunctionTableCount());
    Location location =
        Location.newBuilder()
            .addLines(
                Line.newBuilder().setFunctionIndex(line).setLine(lines.getOrDefault(frame, 0)))
            .addAttributeIndices(attribute("profile.frame.type", kinds.getOrDefault(frame, "jvm")))
            .build();
    return index(location, () -> dictionary.addLocationTable(location).getLocationTableCount());
  }

  private int attribute(String key, String value) {
    KeyValueAndUnit attribute =
        KeyValueAndUnit.newBuilder()
            .setKeyStrindex(string(key))
            .setValue(AnyValue.newBuilder().setStringValue(value))
            .build();
    return index(attribute, () -> dictionary.addAttributeTable(attribute).getAttributeTableCount());
  }
}
