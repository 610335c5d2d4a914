/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.flamespan.page.model.Endpoint;
import io.flamespan.page.model.Join;
import io.flamespan.page.model.Locations;
import io.flamespan.page.model.Profiles;
import io.flamespan.page.model.Request;
import io.flamespan.page.model.SampledSpan;
import io.flamespan.page.model.StackSums;
import io.flamespan.page.model.Threads;
import io.flamespan.page.pprof.Function;
import io.flamespan.page.pprof.Label;
import io.flamespan.page.pprof.Line;
import io.flamespan.page.pprof.Location;
import io.flamespan.page.pprof.Profile;
import io.flamespan.page.pprof.Sample;
import io.flamespan.page.pprof.ValueType;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.ThreadKey;
import io.flamespan.page.results.WaitReasons;
import io.flamespan.page.timeline.Part;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.objects.Object2IntLinkedOpenHashMap;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * All samples in pprof's format, with labels for span, trace, thread, and the part of the time that
 * a sample tells of. Written field by field, as one object for the whole profile would need much
 * memory.
 */
final class Pprof {
  private static final int BUFFER = 1 << 16;
  private static final int MOST_SORTED = 1 << 18; // rows, as an endpoint may have any number
  private static final byte[] NO_LABEL = {};

  /** Takes half of the time for files that are a tenth larger. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, BUFFER);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  private final Join join;
  private final Profiles profiles;
  private final List<Measure> shown;
  private final Object2IntLinkedOpenHashMap<String> strings = new Object2IntLinkedOpenHashMap<>();
  private final LongArrayList values = new LongArrayList();
  private final LongArrayList locations = new LongArrayList();
  private int packedStack = -1;
  private byte[] packedLocations = {};
  private final Map<Part, byte[]> labelsOfParts = new EnumMap<>(Part.class);
  private final Part[] waits; // by node of the tree of stacks

  Pprof(Join join, Profiles profiles) {
    this.join = join;
    this.profiles = profiles;
    this.shown =
        Arrays.stream(Measure.values())
            .filter(one -> one == Measure.CPU || profiles.received().count(one) > 0)
            .toList();
    this.waits =
        shown.contains(Measure.WAIT) || shown.contains(Measure.LOCK)
            ? WaitReasons.ofNodes(
                profiles.tree(),
                location -> profiles.frames().get(profiles.locations().frame(location)))
            : new Part[0];
    string("");
  }

  void write(Path file) throws IOException {
    try (GZIPOutputStream gzip = new FastGzip(Files.newOutputStream(file))) {
      CodedOutputStream out = CodedOutputStream.newInstance(gzip, BUFFER);
      for (Measure measure : shown) {
        out.writeMessage(Profile.SAMPLE_TYPE_FIELD_NUMBER, type(counts(measure), "count"));
        out.writeMessage(Profile.SAMPLE_TYPE_FIELD_NUMBER, amounts(measure));
      }
      out.writeMessage(Profile.PERIOD_TYPE_FIELD_NUMBER, amounts(Measure.CPU));
      out.writeInt64(
          Profile.DEFAULT_SAMPLE_TYPE_FIELD_NUMBER, amounts(Measure.CPU).getType()); // not the last
      for (Endpoint endpoint : join.endpoints()) {
        samples(out, endpoint);
      }
      threads(out);
      for (int frame = 0; frame < profiles.frames().size(); frame++) {
        function(out, frame);
      }
      for (int location = 0; location < profiles.locations().size(); location++) {
        location(out, location);
      }
      for (String string : strings.keySet()) {
        out.writeString(Profile.STRING_TABLE_FIELD_NUMBER, string);
      }
      out.flush();
    }
  }

  /**
   * Writes samples with the same stack one after the other, which takes fewer bytes and less time:
   * of an endpoint with many samples, some at a time.
   */
  private void samples(CodedOutputStream out, Endpoint endpoint) {
    StackSums sums = profiles.samples().sums();
    Int2ObjectOpenHashMap<byte[]> labels = new Int2ObjectOpenHashMap<>(); // by Link
    LongArrayList rows = new LongArrayList(); // below the bits of the stack
    for (Request request : endpoint.requests()) {
      for (SampledSpan span : request.sampled()) {
        labels.put(span.link(), labels(endpoint, request, span));
        join.rows()
            .forEach(
                span.link(),
                row -> {
                  rows.add((long) sums.stack(row) << Integer.SIZE | row);
                  if (rows.size() == MOST_SORTED) {
                    samples(out, rows, labels);
                  }
                });
      }
    }
    samples(out, rows, labels);
  }

  /** Writes these rows, and clears them. */
  private void samples(
      CodedOutputStream out, LongArrayList rows, Int2ObjectOpenHashMap<byte[]> labels) {
    StackSums sums = profiles.samples().sums();
    Arrays.sort(rows.elements(), 0, rows.size());
    for (int i = 0; i < rows.size(); i++) {
      int row = (int) rows.getLong(i);
      sample(out, labels.get(sums.owner(row)), sums, row);
    }
    rows.clear();
  }

  private byte[] labels(Endpoint endpoint, Request request, SampledSpan span) {
    Sample.Builder labels =
        Sample.newBuilder()
            .addLabel(label("span name", endpoint.name()))
            .addLabel(label("service name", endpoint.service()))
            .addLabel(label("trace id", request.span().key().traceId()))
            .addLabel(label("span id", request.span().key().spanId()));
    if (!span.span().equals(request.span())) {
      labels
          .addLabel(label("current span name", span.span().name()))
          .addLabel(label("current span id", span.span().key().spanId()));
    }
    String thread = profiles.samples().links().get(span.link()).thread();
    if (!thread.isEmpty()) {
      labels.addLabel(label("thread name", thread));
    }
    return labels.build().toByteArray();
  }

  /** The samples of no request. */
  private void threads(CodedOutputStream out) {
    Threads threads = profiles.threads();
    List<byte[]> labels = new ArrayList<>();
    for (int number = 0; number < threads.size(); number++) {
      ThreadKey key = threads.key(number);
      Sample.Builder sample = Sample.newBuilder().addLabel(label("thread name", key.name()));
      if (!key.process().isEmpty()) {
        sample.addLabel(label("service name", key.process()));
      }
      labels.add(sample.build().toByteArray());
    }
    StackSums sums = threads.sums();
    for (int row = 0; row < sums.rows(); row++) {
      sample(out, labels.get(sums.owner(row)), sums, row);
    }
  }

  /** What the time of a sample is, as summary.json names it; nothing of allocation. */
  private byte[] part(Measure measure, int stack) {
    Part part =
        switch (measure) {
          case CPU -> Part.CPU;
          case WAIT -> waits[stack];
          case LOCK -> waits[stack].isKnownWait() ? waits[stack] : Part.LOCK;
          case ALLOC -> null;
        };
    return part == null
        ? NO_LABEL
        : labelsOfParts.computeIfAbsent(
            part,
            of -> Sample.newBuilder().addLabel(label("part", of.key())).build().toByteArray());
  }

  /** Writes the fields of a sample in turn, as there may be millions. The labels are written. */
  private void sample(CodedOutputStream out, byte[] labels, StackSums sums, int row) {
    byte[] part = part(sums.measure(row), sums.stack(row));
    values.clear();
    for (Measure measure : shown) {
      boolean is = measure == sums.measure(row);
      values.add(is ? sums.count(row) : 0);
      values.add(is ? sums.amount(row) : 0);
    }
    try {
      byte[] stack = locations(sums.stack(row));
      out.writeTag(Profile.SAMPLE_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
      out.writeUInt32NoTag(stack.length + size(values) + labels.length + part.length);
      out.writeRawBytes(stack);
      packed(out, Sample.VALUE_FIELD_NUMBER, values);
      out.writeRawBytes(labels);
      out.writeRawBytes(part);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The field with the locations of a stack, which several samples have in turn. */
  private byte[] locations(int stack) throws IOException {
    if (stack != packedStack) {
      locations.clear();
      StackTree stacks = profiles.tree();
      for (int node = stack; node > 0; node = stacks.parent(node)) {
        locations.add(id(stacks.frame(node)));
      }
      packedStack = stack;
      packedLocations = new byte[size(locations)];
      CodedOutputStream field = CodedOutputStream.newInstance(packedLocations);
      packed(field, Sample.LOCATION_ID_FIELD_NUMBER, locations);
    }
    return packedLocations;
  }

  /** With the tag of one byte and the length. */
  private static int size(LongArrayList numbers) {
    int size = packedSize(numbers);
    return 1 + CodedOutputStream.computeUInt32SizeNoTag(size) + size;
  }

  private static int packedSize(LongArrayList numbers) {
    int size = 0;
    for (int i = 0; i < numbers.size(); i++) {
      size += CodedOutputStream.computeUInt64SizeNoTag(numbers.getLong(i));
    }
    return size;
  }

  private static void packed(CodedOutputStream out, int field, LongArrayList numbers)
      throws IOException {
    out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    out.writeUInt32NoTag(packedSize(numbers));
    for (int i = 0; i < numbers.size(); i++) {
      out.writeUInt64NoTag(numbers.getLong(i));
    }
  }

  private void function(CodedOutputStream out, int number) throws IOException {
    Frame frame = profiles.frames().get(number);
    out.writeMessage(
        Profile.FUNCTION_FIELD_NUMBER,
        Function.newBuilder()
            .setId(id(number))
            .setName(string(frame.name()))
            .setSystemName(string(frame.raw()))
            .setFilename(string(frame.file()))
            .build());
  }

  private void location(CodedOutputStream out, int number) throws IOException {
    Locations locations = profiles.locations();
    out.writeMessage(
        Profile.LOCATION_FIELD_NUMBER,
        Location.newBuilder()
            .setId(id(number))
            .addLine(
                Line.newBuilder()
                    .setFunctionId(id(locations.frame(number)))
                    .setLine(locations.line(number)))
            .build());
  }

  private static int id(int number) {
    return number + 1;
  }

  private Label label(String key, String value) {
    return Label.newBuilder().setKey(string(key)).setStr(string(value)).build();
  }

  private static String counts(Measure measure) {
    return switch (measure) {
      case CPU -> "samples";
      case WAIT -> "waits";
      case ALLOC -> "alloc_samples";
      case LOCK -> "contentions";
    };
  }

  private ValueType amounts(Measure measure) {
    return switch (measure) {
      case CPU -> type("cpu", "nanoseconds");
      case WAIT -> type("off_cpu", "nanoseconds");
      case ALLOC -> type("alloc_space", "bytes");
      case LOCK -> type("lock", "nanoseconds");
    };
  }

  private ValueType type(String type, String unit) {
    return ValueType.newBuilder().setType(string(type)).setUnit(string(unit)).build();
  }

  private int string(String text) {
    int known = strings.getOrDefault(text, -1);
    if (known >= 0) {
      return known;
    }
    strings.put(text, strings.size());
    return strings.size() - 1;
  }
}
