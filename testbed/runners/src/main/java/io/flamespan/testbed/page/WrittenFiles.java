/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.page;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Link;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.SpanFlags;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The spans and samples in files of OTLP messages, and which belong together. */
final class WrittenFiles {

  /** The type of profiles of CPU time. */
  static final String CPU = "samples";

  /** The type of profiles of allocation. */
  static final String ALLOCATION = "alloc_space";

  /**
   * Samples with the same stack and Link.
   *
   * @param amount the sum of their values, 0 without any
   */
  record Samples(String type, int count, long amount, Link link, List<String> frames) {}

  private final Map<Link, Span> spans = new HashMap<>(); // a Link names a span
  private final List<Samples> samples = new ArrayList<>();

  private WrittenFiles() {}

  /** Reads all files below a directory. */
  static WrittenFiles read(Path directory) throws IOException {
    WrittenFiles files = new WrittenFiles();
    try (Stream<Path> below = Files.walk(directory)) {
      for (Path file : below.filter(Files::isRegularFile).toList()) {
        ByteBuffer rest = ByteBuffer.wrap(Files.readAllBytes(file));
        while (rest.hasRemaining()) {
          byte[] message = new byte[rest.getInt()];
          rest.get(message);
          files.add(message);
        }
      }
    }
    return files;
  }

  private void add(byte[] message) throws IOException {
    boolean areProfiles =
        UnknownFieldSet.parseFrom(message).hasField(ProfilesData.DICTIONARY_FIELD_NUMBER);
    if (areProfiles) {
      add(ProfilesData.parseFrom(message));
    } else {
      add(TracesData.parseFrom(message));
    }
  }

  private void add(TracesData traces) {
    for (ResourceSpans resource : traces.getResourceSpansList()) {
      for (ScopeSpans scope : resource.getScopeSpansList()) {
        scope.getSpansList().forEach(span -> spans.put(link(span, span.getSpanId()), span));
      }
    }
  }

  private void add(ProfilesData profiles) {
    for (ResourceProfiles resource : profiles.getResourceProfilesList()) {
      for (ScopeProfiles scope : resource.getScopeProfilesList()) {
        for (Profile profile : scope.getProfilesList()) {
          for (Sample sample : profile.getSamplesList()) {
            samples.add(samples(profile, sample, profiles.getDictionary()));
          }
        }
      }
    }
  }

  private static Link link(Span span, ByteString spanId) {
    return Link.newBuilder().setTraceId(span.getTraceId()).setSpanId(spanId).build();
  }

  private static Samples samples(Profile profile, Sample sample, ProfilesDictionary dictionary) {
    List<String> frames = new ArrayList<>();
    for (int location : dictionary.getStackTable(sample.getStackIndex()).getLocationIndicesList()) {
      int function = dictionary.getLocationTable(location).getLines(0).getFunctionIndex();
      int name = dictionary.getFunctionTable(function).getNameStrindex();
      frames.add(dictionary.getStringTable(name));
    }
    return new Samples(
        dictionary.getStringTable(profile.getSampleType().getTypeStrindex()),
        sample.getTimestampsUnixNanoCount(),
        sample.getValuesList().stream().mapToLong(Long::longValue).sum(),
        dictionary.getLinkTable(sample.getLinkIndex()),
        frames);
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
    Span span = spans.get(linked.link());
    return span == null ? "" : endpoint(span);
  }

  /** Returns the name of the span's local root span, or an empty string. */
  private String endpoint(Span span) {
    Span root = span;
    while (root != null && !isLocalRoot(root)) {
      root = spans.get(link(root, root.getParentSpanId()));
    }
    return root == null ? "" : root.getName();
  }

  /** Returns the number of stack trace ids on the local root spans with this name. */
  long ids(String endpoint) {
    return spans.values().stream()
        .filter(WrittenFiles::isLocalRoot)
        .filter(span -> span.getName().equals(endpoint))
        .map(span -> attribute(span, "elastic.profiler_stack_trace_ids"))
        .mapToLong(value -> value.getArrayValue().getValuesCount())
        .sum();
  }

  /** Returns the CPU time that the threads of the endpoint have measured. */
  long threadCpuNanos(String endpoint) {
    return spans.values().stream()
        .filter(span -> endpoint(span).equals(endpoint))
        .mapToLong(span -> attribute(span, "demo.thread_cpu_nanos").getIntValue())
        .sum();
  }

  private static boolean isLocalRoot(Span span) {
    return span.getParentSpanId().isEmpty()
        || (span.getFlags() & SpanFlags.SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK_VALUE) != 0;
  }

  /** Returns the value, which is empty if there is no such attribute. */
  private static AnyValue attribute(Span span, String key) {
    return span.getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals(key))
        .map(KeyValue::getValue)
        .findFirst()
        .orElse(AnyValue.getDefaultInstance());
  }
}
