/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.files;

import io.otelprofiling.correlation.internal.embedded.Work;
import io.otelprofiling.embedded.Frame;
import io.otelprofiling.embedded.StackTrace;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
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

    void forEach(Consumer<R> action) {
      indexes.keySet().forEach(action);
    }
  }

  private final Table<String> strings = new Table<>("");
  private final Table<Integer> functions = new Table<>(NONE); // name
  private final Table<List<Integer>> locations = new Table<>(Arrays.asList(NONE, 0, NONE));
  private final Table<List<Integer>> stacks = new Table<>(Collections.emptyList()); // locations
  private final Table<List<Long>> links = new Table<>(Arrays.asList(0L, 0L, 0L));
  private final Table<Map.Entry<Integer, String>> attributes = new Table<>(row(NONE, ""));
  private final Map<StackTrace, Integer> knownStacks = new HashMap<>(); // by identity

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
        frame.className.isEmpty() ? frame.methodName : frame.className + '.' + frame.methodName;
    return locations.index(
        Arrays.asList(
            functions.index(string(name)),
            frame.line,
            attribute("profile.frame.type", frameType(frame))));
  }

  /** Returns the word of the semantic conventions. */
  private static String frameType(Frame frame) {
    switch (frame.type.toLowerCase(Locale.ROOT)) {
      case "native":
      case "c++":
        return "native";
      case "kernel":
        return "kernel";
      default:
        return "jvm";
    }
  }

  /** Returns the index of a Link to the current span. */
  int link(@Nullable Work work) {
    return work == null
        ? NONE
        : links.index(Arrays.asList(work.traceIdHigh, work.traceIdLow, work.spanId));
  }

  int attribute(String key, String value) {
    return value.isEmpty() ? NONE : attributes.index(row(string(key), value));
  }

  private static Map.Entry<Integer, String> row(int key, String value) {
    return new AbstractMap.SimpleImmutableEntry<>(key, value);
  }

  void write(JsonWriter json) {
    json.name("dictionary").beginObject();
    json.name("mappingTable").beginArray().beginObject().endObject().endArray();
    write(json, "locationTable", locations, row -> location(json, row));
    write(json, "functionTable", functions, name -> json.name("nameStrindex").int32(name));
    write(json, "linkTable", links, row -> link(json, row));
    write(json, "attributeTable", attributes, row -> attribute(json, row));
    write(json, "stackTable", stacks, row -> indexes(json, "locationIndices", row));
    json.name("stringTable").beginArray();
    strings.forEach(json::string);
    json.endArray().endObject();
  }

  private static <R> void write(JsonWriter json, String name, Table<R> table, Consumer<R> row) {
    json.name(name).beginArray();
    table.forEach(
        content -> {
          json.beginObject();
          row.accept(content);
          json.endObject();
        });
    json.endArray();
  }

  private static void location(JsonWriter json, List<Integer> row) {
    int function = row.get(0);
    if (function == NONE) {
      return;
    }
    json.name("lines").beginArray().beginObject().name("functionIndex").int32(function);
    json.name("line").int64(row.get(1)).endObject().endArray();
    indexes(json, "attributeIndices", row.subList(2, 3));
  }

  private static void link(JsonWriter json, List<Long> row) {
    json.name("traceId").string(row.get(2) == 0 ? "" : hex(row.get(0)) + hex(row.get(1)));
    json.name("spanId").string(row.get(2) == 0 ? "" : hex(row.get(2)));
  }

  private static String hex(long half) {
    return String.format(Locale.ROOT, "%016x", half);
  }

  private static void attribute(JsonWriter json, Map.Entry<Integer, String> row) {
    if (row.getKey() != NONE) {
      json.name("keyStrindex").int32(row.getKey()).name("value").beginObject();
      json.name("stringValue").string(row.getValue()).endObject();
    }
  }

  static void indexes(JsonWriter json, String name, List<Integer> indexes) {
    json.name(name).beginArray();
    indexes.forEach(json::int32);
    json.endArray();
  }
}
