/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.exporter;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.flamespan.testbed.exporter.CodeMappings.CodeMapping;
import io.flamespan.testbed.exporter.InputLine.Source;
import io.flamespan.testbed.exporter.InputLine.ThreadSample;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.KeyValueAndUnit;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Mapping;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.Stack;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The content of one export: samples of a few seconds, and everything they refer to. Samples with
 * the same stack, Link and thread are merged. Not thread-safe.
 */
final class ProfileBatch {
  /** In bytes, well below the 20 MiB that a collector accepts by default. */
  static final long SIZE_LIMIT = 8 << 20;

  // Of the tag and the length of an item, rarely more.
  private static final int ITEM_OVERHEAD = 4;

  // The indices of the items in the tables of the dictionary, in their order.
  private final Map<String, Integer> strings = new LinkedHashMap<>();
  private final Map<KeyValueAndUnit, Integer> attributes = new LinkedHashMap<>();
  private final Map<Mapping, Integer> mappings = new LinkedHashMap<>();
  private final Map<Function, Integer> functions = new LinkedHashMap<>();
  private final Map<Location, Integer> locations = new LinkedHashMap<>();
  private final Map<Stack, Integer> stacks = new LinkedHashMap<>();
  private final Map<Link, Integer> links = new LinkedHashMap<>();

  // By what they have in common: all but their times.
  private final Map<Sample, Sample.Builder> samples = new LinkedHashMap<>();
  private final Source source;
  private final CodeMappings code;
  private long size;
  private int count;
  private long begin;
  private long end;

  /** Creates an empty batch that begins at a time in nanoseconds since 1970. */
  ProfileBatch(Source source, CodeMappings code, long begin) {
    this.source = source;
    this.code = code;
    this.begin = begin;
    this.end = begin + 1;
    string("");
    index(attributes, KeyValueAndUnit.getDefaultInstance());
    index(mappings, Mapping.getDefaultInstance());
    index(functions, Function.getDefaultInstance());
    index(locations, Location.getDefaultInstance());
    index(stacks, Stack.getDefaultInstance());
    // OTLP recommends ids of full length here, for readers that reject shorter ones.
    link("0".repeat(32), "0".repeat(16));
  }

  /** Returns the approximate size of the request in bytes. */
  long size() {
    return size;
  }

  int count() {
    return count;
  }

  /** Adds a sample. Returns false if the batch is full. */
  boolean add(ThreadSample sample) {
    if (size >= SIZE_LIMIT) {
      return false;
    }
    Sample common =
        Sample.newBuilder()
            .setStackIndex(stack(sample))
            .setLinkIndex(sample.trace() == null ? 0 : link(sample.trace(), sample.span()))
            .addAttributeIndices(attribute("thread.name", text(sample.thread())))
            .addAttributeIndices(attribute("thread.id", number(sample.tid())))
            .build();
    Sample.Builder merged = samples.get(common);
    if (merged == null) {
      merged = common.toBuilder();
      samples.put(common, merged);
      size += common.getSerializedSize() + 2 * ITEM_OVERHEAD;
    }
    merged.addTimestampsUnixNano(sample.time());
    size += Long.BYTES;
    count++;
    // The profile's time has all samples, although the clock may have been set meanwhile.
    begin = Math.min(begin, sample.time());
    end = Math.max(end, sample.time() + 1);
    return true;
  }

  /** Returns the request. The time is the end of the batch, in nanoseconds since 1970. */
  ExportProfilesServiceRequest request(long endTime) {
    end = Math.max(end, endTime);
    // The names are those of the public profiler.
    Profile.Builder profile =
        Profile.newBuilder()
            .setSampleType(type("samples", "count"))
            .setTimeUnixNano(begin)
            .setDurationNano(end - begin)
            .setProfileId(id(UUID.randomUUID().toString().replace("-", "")));
    if (source.period() != 0) {
      // Samples of waiting threads do not measure CPU time.
      profile
          .setPeriodType(type(source.onCpu() ? "cpu" : "wall", "nanoseconds"))
          .setPeriod(source.period());
    }
    samples.values().forEach(profile::addSamples);
    return ExportProfilesServiceRequest.newBuilder()
        .addResourceProfiles(
            ResourceProfiles.newBuilder()
                .setResource(resource())
                .addScopeProfiles(
                    ScopeProfiles.newBuilder()
                        .setScope(InstrumentationScope.newBuilder().setName("stand-in-profiler"))
                        .addProfiles(profile)))
        .setDictionary(
            ProfilesDictionary.newBuilder()
                .addAllMappingTable(mappings.keySet())
                .addAllLocationTable(locations.keySet())
                .addAllFunctionTable(functions.keySet())
                .addAllLinkTable(links.keySet())
                .addAllStringTable(strings.keySet())
                .addAllAttributeTable(attributes.keySet())
                .addAllStackTable(stacks.keySet()))
        .build();
  }

  private Resource resource() {
    Resource.Builder resource = Resource.newBuilder();
    String path = source.executable();
    put(resource, "service.name", text(source.service()));
    put(resource, "host.id", text(source.host()));
    put(resource, "process.pid", number(source.pid()));
    put(resource, "process.executable.path", text(path));
    put(resource, "process.executable.name", text(path.substring(path.lastIndexOf('/') + 1)));
    return resource.build();
  }

  private static void put(Resource.Builder resource, String key, AnyValue value) {
    if (!value.hasStringValue() || !value.getStringValue().isEmpty()) {
      resource.addAttributes(KeyValue.newBuilder().setKey(key).setValue(value));
    }
  }

  private int stack(ThreadSample sample) {
    Stack.Builder stack = Stack.newBuilder();
    if (sample.frames() == null) {
      stack.addLocationIndices(instruction(sample.address()));
    } else {
      sample.frames().forEach(name -> stack.addLocationIndices(javaFrame(name)));
    }
    return index(stacks, stack.build());
  }

  private int javaFrame(String name) {
    Function function = Function.newBuilder().setNameStrindex(string(name)).build();
    return index(
        locations,
        Location.newBuilder()
            .addLines(Line.newBuilder().setFunctionIndex(index(functions, function)))
            .addAttributeIndices(attribute("profile.frame.type", text("jvm")))
            .build());
  }

  private int instruction(long address) {
    Location.Builder location = Location.newBuilder().setAddress(address);
    // Code compiled by the JVM is in anonymous memory, so no file can be named.
    CodeMapping mapping = code.find(address);
    if (mapping != null) {
      location
          .setMappingIndex(mapping(mapping))
          .addAttributeIndices(attribute("profile.frame.type", text("native")));
    }
    return index(locations, location.build());
  }

  private int mapping(CodeMapping mapped) {
    Mapping.Builder mapping =
        Mapping.newBuilder()
            .setMemoryStart(mapped.start())
            .setMemoryLimit(mapped.end())
            .setFileOffset(mapped.offset())
            .setFilenameStrindex(string(mapped.path()));
    String buildId = code.buildId(mapped);
    if (!buildId.isEmpty()) {
      mapping.addAttributeIndices(attribute("process.executable.build_id.gnu", text(buildId)));
    }
    return index(mappings, mapping.build());
  }

  private int link(String trace, String span) {
    return index(links, Link.newBuilder().setTraceId(id(trace)).setSpanId(id(span)).build());
  }

  private int attribute(String key, AnyValue value) {
    return index(
        attributes,
        KeyValueAndUnit.newBuilder().setKeyStrindex(string(key)).setValue(value).build());
  }

  private ValueType type(String type, String unit) {
    return ValueType.newBuilder()
        .setTypeStrindex(string(type))
        .setUnitStrindex(string(unit))
        .build();
  }

  private int string(String text) {
    return index(strings, text, CodedOutputStream.computeStringSizeNoTag(text));
  }

  private <T extends MessageLite> int index(Map<T, Integer> table, T item) {
    return index(table, item, item.getSerializedSize());
  }

  private <T> int index(Map<T, Integer> table, T item, int itemSize) {
    Integer known = table.putIfAbsent(item, table.size());
    if (known != null) {
      return known;
    }
    size += itemSize + ITEM_OVERHEAD;
    return table.size() - 1;
  }

  private static AnyValue text(String text) {
    return AnyValue.newBuilder().setStringValue(text).build();
  }

  private static AnyValue number(long number) {
    return AnyValue.newBuilder().setIntValue(number).build();
  }

  private static ByteString id(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
  }
}
