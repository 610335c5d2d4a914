/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.messages;

import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.processcontext.ProtobufMessage;
import io.flamespan.embedded.Frame;
import io.flamespan.embedded.StackTrace;
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

  /** Returns the tables as a message. */
  ProtobufMessage message() {
    ProtobufMessage message = new ProtobufMessage();
    message.add(1, new ProtobufMessage()); // no mapping
    locations.rows().forEach(row -> message.add(2, location(row)));
    functions.rows().forEach(name -> message.add(3, function(name)));
    links.rows().forEach(row -> message.add(4, link(row)));
    strings.rows().forEach(text -> message.add(5, text));
    attributes.rows().forEach(row -> message.add(6, attribute(row)));
    stacks.rows().forEach(frames -> message.add(7, stack(frames)));
    return message;
  }

  private static ProtobufMessage location(List<Integer> row) {
    ProtobufMessage message = new ProtobufMessage();
    if (row.get(2) != NONE) { // which all frames have
      ProtobufMessage line = new ProtobufMessage();
      line.add(1, row.get(0));
      line.add(2, row.get(1));
      message.add(3, line);
      message.addAll(4, row.subList(2, 3));
    }
    return message;
  }

  private static ProtobufMessage function(int name) {
    ProtobufMessage message = new ProtobufMessage();
    message.add(1, name);
    return message;
  }

  private static ProtobufMessage link(List<Long> row) {
    ProtobufMessage message = new ProtobufMessage();
    if (row.get(2) != 0) {
      message.add(1, bytes(row.subList(0, 2)));
      message.add(2, bytes(row.subList(2, 3)));
    }
    return message;
  }

  private static byte[] bytes(List<Long> parts) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * parts.size());
    parts.forEach(bytes::putLong);
    return bytes.array();
  }

  private static ProtobufMessage attribute(Map.Entry<Integer, String> row) {
    ProtobufMessage message = new ProtobufMessage();
    if (row.getKey() != NONE) {
      ProtobufMessage value = new ProtobufMessage();
      value.add(1, row.getValue());
      message.add(1, row.getKey());
      message.add(2, value);
    }
    return message;
  }

  private static ProtobufMessage stack(List<Integer> frames) {
    ProtobufMessage message = new ProtobufMessage();
    message.addAll(1, frames);
    return message;
  }
}
