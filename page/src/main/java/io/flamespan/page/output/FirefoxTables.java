/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import io.flamespan.page.model.Locations;
import io.flamespan.page.model.Profiles;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.StackTree;
import it.unimi.dsi.fastutil.objects.Object2IntLinkedOpenHashMap;
import java.io.IOException;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** The tables that all tracks of a file for the Firefox Profiler share. */
final class FirefoxTables {
  static final List<String> CATEGORIES = List.of("Other", "Java", "Native", "Kernel");

  private final Profiles profiles;
  private final Object2IntLinkedOpenHashMap<String> strings = new Object2IntLinkedOpenHashMap<>();
  private final Object2IntLinkedOpenHashMap<String> files = new Object2IntLinkedOpenHashMap<>();

  FirefoxTables(Profiles profiles) {
    this.profiles = profiles;
  }

  int string(String text) {
    return number(strings, text);
  }

  private static int number(Object2IntLinkedOpenHashMap<String> known, String text) {
    int number = known.getOrDefault(text, -1);
    if (number < 0) {
      number = known.size();
      known.put(text, number);
    }
    return number;
  }

  /** The stack that ends in this node, or -1 without frames. */
  static int stack(int node) {
    return node - 1;
  }

  void write(JsonWriter json) throws IOException {
    StackTree tree = profiles.tree();
    Locations locations = profiles.locations();
    int frames = profiles.frames().size();
    json.name("shared").beginObject();
    json.name("stackTable").beginObject();
    int stacks = tree.size() - 1;
    column(json, "frame", stacks, stack -> tree.frame(stack + 1));
    column(
        json,
        "prefixOffset",
        stacks,
        stack -> tree.parent(stack + 1) == StackTree.ROOT ? 0 : stack + 1 - tree.parent(stack + 1));
    end(json, stacks);
    json.name("frameTable").beginObject();
    column(json, "address", locations.size(), location -> -1);
    column(json, "inlineDepth", locations.size(), location -> 0);
    column(
        json,
        "category",
        locations.size(),
        location -> category(profiles.frames().get(locations.frame(location))));
    column(json, "subcategory", locations.size(), location -> 0);
    column(json, "func", locations.size(), locations::frame);
    nulls(json, "nativeSymbol", locations.size());
    column(json, "innerWindowID", locations.size(), location -> 0);
    json.name("line").beginArray();
    for (int location = 0; location < locations.size(); location++) {
      value(json, locations.line(location) == 0 ? -1 : locations.line(location));
    }
    json.endArray();
    nulls(json, "column", locations.size());
    nulls(json, "originalLocation", locations.size());
    end(json, locations.size());
    json.name("funcTable").beginObject();
    column(json, "name", frames, frame -> string(profiles.frames().get(frame).name()));
    booleans(json, "isJS", frames);
    booleans(json, "relevantForJS", frames);
    column(json, "resource", frames, frame -> -1);
    json.name("source").beginArray();
    for (int frame = 0; frame < frames; frame++) {
      String file = profiles.frames().get(frame).file();
      value(json, file.isEmpty() ? -1 : number(files, file));
    }
    json.endArray();
    nulls(json, "lineNumber", frames);
    nulls(json, "columnNumber", frames);
    nulls(json, "originalLocation", frames);
    end(json, frames);
    empty(json, "nativeSymbols", "libIndex", "address", "name", "functionSize");
    empty(json, "resourceTable", "lib", "name", "host", "type");
    sources(json);
    empty(json, "sourceLocationTable", "source", "line", "column");
    json.name("stringArray").beginArray();
    for (String string : strings.keySet()) {
      json.value(string);
    }
    json.endArray().endObject();
  }

  private void sources(JsonWriter json) throws IOException {
    List<String> names = List.copyOf(files.keySet());
    json.name("sources").beginObject();
    nulls(json, "id", names.size());
    column(json, "filename", names.size(), file -> string(names.get(file)));
    column(json, "startLine", names.size(), file -> 1);
    column(json, "startColumn", names.size(), file -> 1);
    nulls(json, "sourceMapURL", names.size());
    nulls(json, "content", names.size());
    end(json, names.size());
  }

  private static int category(Frame frame) {
    return switch (frame.kind()) {
      case "jvm" -> 1;
      case "kernel" -> 3;
      case "" -> 0;
      default -> 2;
    };
  }

  static void column(JsonWriter json, String name, int length, IntUnaryOperator value)
      throws IOException {
    json.name(name).beginArray();
    for (int i = 0; i < length; i++) {
      json.value(value.applyAsInt(i));
    }
    json.endArray();
  }

  /** Writes null in place of a negative number. */
  private static void value(JsonWriter json, int number) throws IOException {
    if (number < 0) {
      json.nullValue();
    } else {
      json.value(number);
    }
  }

  private static void nulls(JsonWriter json, String name, int length) throws IOException {
    json.name(name).beginArray();
    for (int i = 0; i < length; i++) {
      json.nullValue();
    }
    json.endArray();
  }

  private static void booleans(JsonWriter json, String name, int length) throws IOException {
    json.name(name).beginArray();
    for (int i = 0; i < length; i++) {
      json.value(false);
    }
    json.endArray();
  }

  private static void empty(JsonWriter json, String table, String... columns) throws IOException {
    json.name(table).beginObject();
    for (String column : columns) {
      json.name(column).beginArray().endArray();
    }
    end(json, 0);
  }

  static void end(JsonWriter json, int length) throws IOException {
    json.name("length").value(length).endObject();
  }
}
