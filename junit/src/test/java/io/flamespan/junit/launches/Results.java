/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.launches;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files that test runs have written. */
final class Results {
  final List<Span> spans = new ArrayList<>();

  private final List<ProfilesData> profiles = new ArrayList<>();

  Results(Path directory) throws IOException {
    try (Stream<Path> below = Files.walk(directory)) {
      for (Path file : below.filter(Files::isRegularFile).toList()) {
        ByteBuffer rest = ByteBuffer.wrap(Files.readAllBytes(file));
        while (isWhole(rest)) {
          byte[] message = new byte[rest.getInt()];
          rest.get(message);
          add(message);
        }
      }
    }
  }

  /** The process may be writing it. */
  private static boolean isWhole(ByteBuffer rest) {
    return rest.remaining() > Integer.BYTES
        && rest.getInt(rest.position()) <= rest.remaining() - Integer.BYTES;
  }

  private void add(byte[] message) throws IOException {
    if (UnknownFieldSet.parseFrom(message).hasField(ProfilesData.DICTIONARY_FIELD_NUMBER)) {
      profiles.add(ProfilesData.parseFrom(message));
    } else {
      TracesData.parseFrom(message)
          .getResourceSpansList()
          .forEach(
              resource ->
                  resource
                      .getScopeSpansList()
                      .forEach(scope -> spans.addAll(scope.getSpansList())));
    }
  }

  /** Returns how many spans there are of each name. */
  Map<String, Integer> names() {
    Map<String, Integer> names = new TreeMap<>();
    spans.forEach(span -> names.merge(span.getName(), 1, Integer::sum));
    return names;
  }

  /** Returns the only span with this name. */
  Span span(String name) {
    return spans.stream().filter(span -> span.getName().equals(name)).findFirst().orElseThrow();
  }

  static String attribute(Span span, String key) {
    for (KeyValue attribute : span.getAttributesList()) {
      if (attribute.getKey().equals(key)) {
        return attribute.getValue().getStringValue();
      }
    }
    return "";
  }

  /** Returns the number of samples of CPU time in a method by the names of spans. */
  Map<String, Integer> samplesIn(String method) {
    Map<ByteString, String> names = new HashMap<>();
    spans.forEach(span -> names.put(span.getSpanId(), span.getName()));
    Map<String, Integer> counts = new TreeMap<>();
    for (ProfilesData data : profiles) {
      ProfilesDictionary tables = data.getDictionary();
      for (ResourceProfiles resource : data.getResourceProfilesList()) {
        for (ScopeProfiles scope : resource.getScopeProfilesList()) {
          for (Profile profile : scope.getProfilesList()) {
            if (tables
                .getStringTable(profile.getSampleType().getTypeStrindex())
                .equals("samples")) {
              for (Sample sample : profile.getSamplesList()) {
                if (has(tables, sample, method)) {
                  ByteString span = tables.getLinkTable(sample.getLinkIndex()).getSpanId();
                  counts.merge(
                      names.getOrDefault(span, "no span"),
                      sample.getTimestampsUnixNanoCount(),
                      Integer::sum);
                }
              }
            }
          }
        }
      }
    }
    return counts;
  }

  private static boolean has(ProfilesDictionary tables, Sample sample, String method) {
    for (int index : tables.getStackTable(sample.getStackIndex()).getLocationIndicesList()) {
      Function function =
          tables.getFunctionTable(tables.getLocationTable(index).getLines(0).getFunctionIndex());
      if (tables.getStringTable(function.getNameStrindex()).endsWith("." + method)) {
        return true;
      }
    }
    return false;
  }
}
