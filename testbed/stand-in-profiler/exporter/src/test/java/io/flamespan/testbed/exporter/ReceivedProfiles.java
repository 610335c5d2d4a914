/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.flamespan.testbed.exporter.FakeReceiver.Request;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
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
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The content of exports, which fulfil the demands of OTLP. */
final class ReceivedProfiles {
  final Map<String, Integer> totals = new HashMap<>();
  final Map<String, Set<String>> values = new TreeMap<>();

  ReceivedProfiles(Collection<Request> requests) throws Exception {
    for (Request request : requests) {
      new Export(ExportProfilesServiceRequest.parseFrom(request.body())).read();
    }
  }

  int total(String name) {
    return totals.getOrDefault(name, 0);
  }

  Set<String> values(String name) {
    return values.getOrDefault(name, Set.of());
  }

  private void count(String name, int count) {
    totals.merge(name, count, Integer::sum);
  }

  private void value(String name, String value) {
    values.computeIfAbsent(name, any -> new TreeSet<>()).add(value);
  }

  /** Returns the kind of span of the fixture that has these ids, see related_ids.h. */
  private static String kind(Link link) {
    long number = word(link.getTraceId(), 0);
    long span = word(link.getSpanId(), 0);
    if (word(link.getTraceId(), 1) != ~number) {
      return "unrelated";
    }
    if (span == (number ^ 0x5555555555555555L)) {
      return "transactions";
    }
    return span == number * 0x9E3779B97F4A7C15L ? "spans" : "unrelated";
  }

  private static long word(ByteString bytes, int index) {
    return bytes.asReadOnlyByteBuffer().order(ByteOrder.nativeOrder()).getLong(8 * index);
  }

  private static String text(AnyValue value) {
    return value.hasStringValue() ? value.getStringValue() : Long.toString(value.getIntValue());
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  private final class Export {
    private final ExportProfilesServiceRequest request;
    private final ProfilesDictionary dictionary;
    // The items to which others refer, by table.
    private final Map<List<?>, Set<Integer>> used = new IdentityHashMap<>();

    Export(ExportProfilesServiceRequest request) {
      this.request = request;
      this.dictionary = request.getDictionary();
    }

    void read() {
      count("exports", 1);
      for (ResourceProfiles resource : request.getResourceProfilesList()) {
        for (KeyValue attribute : resource.getResource().getAttributesList()) {
          value(attribute.getKey(), text(attribute.getValue()));
        }
        for (ScopeProfiles scope : resource.getScopeProfilesList()) {
          scope.getProfilesList().forEach(this::read);
        }
      }
      verifyTables();
    }

    private <T> T item(List<T> table, int index) {
      used.computeIfAbsent(table, any -> new HashSet<>(Set.of(0))).add(index);
      return table.get(index);
    }

    private String string(int index) {
      return item(dictionary.getStringTableList(), index);
    }

    private Map<String, String> attributes(List<Integer> indices) {
      // Fails if two have the same key.
      return indices.stream()
          .map(index -> item(dictionary.getAttributeTableList(), index))
          .collect(
              Collectors.toMap(
                  attribute -> string(attribute.getKeyStrindex()),
                  (KeyValueAndUnit attribute) -> text(attribute.getValue())));
    }

    private void read(Profile profile) {
      value("sample_type", type(profile.getSampleType()));
      value("period", type(profile.getPeriodType()) + " " + profile.getPeriod());
      value("profile_id", hex(profile.getProfileId()));
      assertThat(profile.getSamplesList())
          .as("merged samples")
          .extracting(sample -> sample.toBuilder().clearTimestampsUnixNano().build())
          .doesNotHaveDuplicates();
      long begin = profile.getTimeUnixNano();
      for (Sample sample : profile.getSamplesList()) {
        assertThat(sample.getValuesList()).isEmpty();
        assertThat(sample.getTimestampsUnixNanoList())
            .isNotEmpty()
            .allMatch(time -> begin <= time && time < begin + profile.getDurationNano());
        read(sample, sample.getTimestampsUnixNanoCount());
      }
    }

    private String type(ValueType type) {
      return string(type.getTypeStrindex()) + "/" + string(type.getUnitStrindex());
    }

    private void read(Sample sample, int count) {
      count("samples", count);
      attributes(sample.getAttributeIndicesList()).forEach(ReceivedProfiles.this::value);
      value(
          "stack",
          item(dictionary.getStackTableList(), sample.getStackIndex())
              .getLocationIndicesList()
              .stream()
              .map(this::frame)
              .collect(Collectors.joining(";")));
      if (sample.getLinkIndex() != 0) {
        Link link = item(dictionary.getLinkTableList(), sample.getLinkIndex());
        count("linked", count);
        count(kind(link), count);
        value("link", hex(link.getTraceId()) + "-" + hex(link.getSpanId()));
      }
    }

    private String frame(int index) {
      Location location = item(dictionary.getLocationTableList(), index);
      Map<String, String> attributes = attributes(location.getAttributeIndicesList());
      count("frames_" + attributes.getOrDefault("profile.frame.type", "unknown"), 1);
      if (location.getMappingIndex() != 0) {
        read(
            item(dictionary.getMappingTableList(), location.getMappingIndex()),
            location.getAddress());
      }
      return location.getLinesList().stream().map(this::function).collect(Collectors.joining("/"));
    }

    private String function(Line line) {
      return string(
          item(dictionary.getFunctionTableList(), line.getFunctionIndex()).getNameStrindex());
    }

    private void read(Mapping mapping, long address) {
      assertThat(address).isBetween(mapping.getMemoryStart(), mapping.getMemoryLimit() - 1);
      String path = string(mapping.getFilenameStrindex());
      Map<String, String> attributes = attributes(mapping.getAttributeIndicesList());
      value("mapping", path + ":" + attributes.get("process.executable.build_id.gnu"));
    }

    private void verifyTables() {
      verify(dictionary.getStringTableList(), "");
      verify(dictionary.getAttributeTableList(), KeyValueAndUnit.getDefaultInstance());
      verify(dictionary.getMappingTableList(), Mapping.getDefaultInstance());
      verify(dictionary.getLocationTableList(), Location.getDefaultInstance());
      verify(dictionary.getFunctionTableList(), Function.getDefaultInstance());
      verify(dictionary.getStackTableList(), Stack.getDefaultInstance());
      verify(
          dictionary.getLinkTableList(),
          Link.newBuilder()
              .setTraceId(ByteString.copyFrom(new byte[16]))
              .setSpanId(ByteString.copyFrom(new byte[8]))
              .build());
    }

    private <T> void verify(List<T> table, T first) {
      assertThat(table).doesNotHaveDuplicates().startsWith(first);
      assertThat(used.getOrDefault(table, Set.of(0))).as("used of " + table).hasSize(table.size());
    }
  }
}
