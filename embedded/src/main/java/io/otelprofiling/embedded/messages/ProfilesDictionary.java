/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.messages;

import io.otelprofiling.correlation.internal.embedded.Work;
import io.otelprofiling.embedded.Frame;
import io.otelprofiling.embedded.StackTrace;
import java.nio.ByteBuffer;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a message with profiles. Samples refer to their rows by index. Not thread-safe.
 *
 * <p>Source: opentelemetry-proto 1.11.0, {@code ProfilesDictionary}.
 */
final class ProfilesDictionary {
  /** The index of the first row of each table, which means that there is none. */
  static final int NONE = 0;

  /** Rows, each once. */
  private static final class Table<R> {
    private final Map<R, Integer> indexes = new LinkedHashMap<>();

    Table(R first) {
      indexes.put(first, NONE);
    }

    int index(R row) {
      Integer known = indexes.get(row);
      if (known == null) {
        known = indexes.size();
        indexes.put(row, known);
      }
      return known;
    }

    Iterable<R> rows() {
      return indexes.keySet();
    }
  }

  private final Table<String> strings = new Table<>("");
  private final Table<Integer> functions = new Table<>(NONE); // name
  private final Table<List<Integer>> locations = new Table<>(Arrays.asList(NONE, 0, NONE));
  private final Table<List<Integer>> stacks = new Table<>(Collections.emptyList()); // locations
  private final Table<List<Long>> links = new Table<>(Arrays.asList(0L, 0L, 0L));
  private final Table<Map.Entry<Integer, String>> attributes = new Table<>(row(NONE, ""));
  private final Map<StackTrace, Integer> knownStacks = new HashMap<>(); // by identity

  private final boolean linksNameLocalRoots;

  /**
   * Creates tables without rows but the first ones.
   *
   * @param linksNameLocalRoots whether Links name the local root span instead of the current span
   */
  ProfilesDictionary(boolean linksNameLocalRoots) {
    this.linksNameLocalRoots = linksNameLocalRoots;
  }

  int string(String text) {
    return strings.index(text);
  }

  int stack(StackTrace stackTrace) {
    Integer known = knownStacks.get(stackTrace);
    if (known == null) {
      List<Integer> frames = new ArrayList<>(stackTrace.frames.size());
      for (Frame frame : stackTrace.frames) {
        frames.add(location(frame));
      }
      known = stacks.index(frames);
      knownStacks.put(stackTrace, known);
    }
    return known;
  }

  private int location(Frame frame) {
    String name =
        frame.isClass() || frame.className.isEmpty()
            ? frame.className + frame.methodName
            : frame.className + '.' + frame.methodName;
    return locations.index(
        Arrays.asList(
            functions.index(string(name)),
            frame.line,
            attribute("profile.frame.type", frameType(frame))));
  }

  /** Returns the word of the semantic conventions, or for a class one that they leave free. */
  private static String frameType(Frame frame) {
    switch (frame.type.toLowerCase(Locale.ROOT)) {
      case "native":
      case "c++":
        return "native";
      case "kernel":
        return "kernel";
      case "class":
        return "class";
      default:
        return "jvm";
    }
  }

  /** Returns the index of a Link to the span. */
  int link(@Nullable Work work) {
    if (work == null) {
      return NONE;
    }
    long spanId = linksNameLocalRoots ? work.localRootSpanId : work.spanId;
    return links.index(Arrays.asList(work.traceIdHigh, work.traceIdLow, spanId));
  }

  int attribute(String key, String value) {
    return value.isEmpty() ? NONE : attributes.index(row(string(key), value));
  }

  private static Map.Entry<Integer, String> row(int key, String value) {
    return new AbstractMap.SimpleImmutableEntry<>(key, value);
  }

  void write(OtlpMessage message) {
    message.messages(1, "mappingTable", Collections.singleton(NONE), (mapping, unused) -> {});
    message.messages(2, "locationTable", locations.rows(), ProfilesDictionary::location);
    message.messages(
        3, "functionTable", functions.rows(), (row, name) -> row.int32(1, "nameStrindex", name));
    message.messages(4, "linkTable", links.rows(), ProfilesDictionary::link);
    message.strings(5, "stringTable", strings.rows());
    message.messages(6, "attributeTable", attributes.rows(), ProfilesDictionary::attribute);
    message.messages(
        7, "stackTable", stacks.rows(), (row, frames) -> row.int32s(1, "locationIndices", frames));
  }

  private static void location(OtlpMessage message, List<Integer> row) {
    if (row.get(0) != NONE) {
      message.messages(3, "lines", Collections.singleton(row), ProfilesDictionary::line);
      message.int32s(4, "attributeIndices", row.subList(2, 3));
    }
  }

  private static void line(OtlpMessage message, List<Integer> row) {
    message.int32(1, "functionIndex", row.get(0));
    message.int64(2, "line", row.get(1));
  }

  private static void link(OtlpMessage message, List<Long> row) {
    if (row.get(2) != 0) {
      message.id(1, "traceId", bytes(row.subList(0, 2)));
      message.id(2, "spanId", bytes(row.subList(2, 3)));
    }
  }

  private static byte[] bytes(List<Long> parts) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * parts.size());
    parts.forEach(bytes::putLong);
    return bytes.array();
  }

  private static void attribute(OtlpMessage message, Map.Entry<Integer, String> row) {
    if (row.getKey() != NONE) {
      message.int32(1, "keyStrindex", row.getKey());
      message.message(2, "value", value -> value.string(1, "stringValue", row.getValue()));
    }
  }
}
