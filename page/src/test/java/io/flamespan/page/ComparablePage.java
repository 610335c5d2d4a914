/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The data of pages without what differs between files and tables. */
final class ComparablePage {
  private static final List<String> VALUES =
      List.of(
          "samples",
          "cpuSamples", // of cells
          "cpu",
          "waits",
          "waiting",
          "allocations",
          "allocated",
          "locks",
          "locking");

  private ComparablePage() {}

  /**
   * Removes kinds of frames, with the spread of methods that follows from classes, samples by the
   * starts of requests, lines of allocation and locks, and methods of summed-up endpoints, which
   * the tables do not have, and the order of sibling frames and of lines.
   */
  static JsonObject comparable(JsonObject data) {
    JsonArray frames = data.remove("frames").getAsJsonArray();
    data.remove("named"); // by frame
    data.remove("problems");
    for (JsonElement one : data.getAsJsonArray("endpoints")) {
      JsonObject endpoint = one.getAsJsonObject();
      endpoint.remove("slices");
      if (endpoint.get("service").getAsString().isEmpty()) {
        endpoint.remove("most");
        endpoint
            .getAsJsonObject("spread")
            .asMap()
            .values()
            .forEach(spread -> spread.getAsJsonObject().remove("methods"));
      }
      if (endpoint.has("most")) {
        nameFrames(endpoint.getAsJsonObject("most"), frames);
      }
      if (endpoint.has("slow")) {
        sortGroups(endpoint.getAsJsonObject("slow"), frames);
        endpoint
            .getAsJsonArray("splits")
            .forEach(split -> sortGroups(split.getAsJsonObject(), frames));
      }
      if (endpoint.has("box")) {
        JsonObject box = endpoint.getAsJsonObject("box");
        sortSlices(box.getAsJsonObject("slices"), frames);
        List.of("allocated", "locking").forEach(box.getAsJsonObject("methods")::remove);
        box.getAsJsonObject("methods").asMap().replaceAll((measure, rows) -> ofBox(rows, frames));
      }
    }
    sortTrees(data, frames);
    return data;
  }

  private static void sortGroups(JsonObject groups, JsonArray frames) {
    groups.getAsJsonArray("certain").forEach(pair -> nameFrames(pair.getAsJsonObject(), frames));
    sortSlices(groups.getAsJsonObject("slices"), frames);
  }

  private static void sortSlices(JsonObject slices, JsonArray frames) {
    JsonArray parents = slices.remove("parent").getAsJsonArray();
    JsonArray names = slices.remove("frame").getAsJsonArray();
    List<String> paths = new ArrayList<>();
    for (int node = 0; node < parents.size(); node++) {
      int parent = parents.get(node).getAsInt();
      paths.add((parent < 0 ? "" : paths.get(parent)) + " / " + name(names.get(node), frames));
    }
    JsonArray bins = slices.remove("bin").getAsJsonArray();
    JsonArray nodes = slices.remove("node").getAsJsonArray();
    List<String> cells = new ArrayList<>();
    for (int cell = 0; cell < bins.size(); cell++) {
      StringBuilder line =
          new StringBuilder(bins.get(cell) + paths.get(nodes.get(cell).getAsInt()));
      for (String values : VALUES) {
        boolean ofCells = slices.has(values) && !values.equals("samples"); // which bins have
        line.append(' ').append(ofCells ? valueOf(slices, values, cell) : "-");
      }
      cells.add(line.toString());
    }
    VALUES.stream().filter(values -> !values.equals("samples")).forEach(slices::remove);
    slices.addProperty("cells", cells.stream().sorted().collect(Collectors.joining("\n")));
  }

  /** Rows of methods with the same amounts. */
  private static JsonArray ofBox(JsonElement rows, JsonArray frames) {
    List<String> lines = new ArrayList<>();
    for (JsonElement row : rows.getAsJsonArray()) {
      JsonObject one = row.getAsJsonObject();
      StringBuilder line = new StringBuilder();
      for (String column : List.of("self", "total")) {
        line.append(
            one.getAsJsonArray(column).asList().stream()
                .map(frame -> name(frame, frames))
                .sorted()
                .toList());
      }
      lines.add(line.append(one.get("request")).append(one.get("amount")).toString());
    }
    JsonArray sorted = new JsonArray();
    lines.stream().sorted().forEach(sorted::add);
    return sorted;
  }

  private static void nameFrames(JsonObject byMeasure, JsonArray frames) {
    byMeasure.asMap().replaceAll((measure, rows) -> named(rows, frames));
  }

  /** Of rows that begin with the number of a frame. */
  private static JsonArray named(JsonElement rows, JsonArray frames) {
    JsonArray sorted = new JsonArray();
    rows.getAsJsonArray().asList().stream()
        .map(row -> row.getAsJsonArray().asList())
        .map(row -> name(row.get(0), frames) + row.subList(1, row.size()))
        .sorted()
        .forEach(sorted::add);
    return sorted;
  }

  static String name(JsonElement frame, JsonArray frames) {
    return frames.get(frame.getAsInt()).getAsJsonArray().get(0).toString();
  }

  private static void sortTrees(JsonElement element, JsonArray frames) {
    if (element instanceof JsonArray array) {
      array.forEach(one -> sortTrees(one, frames));
    } else if (element instanceof JsonObject object) {
      if (object.has("spread")) {
        object
            .getAsJsonObject("spread")
            .asMap()
            .forEach(
                (measure, spread) -> {
                  JsonElement methods = spread.getAsJsonObject().remove("methods");
                  if (methods != null && !measure.matches("allocated|locking")) {
                    spread.getAsJsonObject().add("methods", named(methods, frames));
                  }
                });
      }
      object.asMap().values().forEach(one -> sortTrees(one, frames));
      if (object.has("lines")) {
        String lines = linesOf(object.remove("lines").getAsJsonObject(), frames);
        if (!lines.isEmpty()) {
          object.addProperty("lines", lines);
        }
      }
      if (object.has("parent") && object.get("parent").isJsonArray()) {
        JsonArray parents = object.remove("parent").getAsJsonArray();
        JsonArray names = object.remove("frame").getAsJsonArray();
        List<String> paths = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (int node = 0; node < parents.size(); node++) {
          int parent = parents.get(node).getAsInt();
          String name = frames.get(names.get(node).getAsInt()).getAsJsonArray().get(0).toString();
          paths.add((parent < 0 ? "" : paths.get(parent) + " / ") + name);
          StringBuilder line = new StringBuilder(paths.get(node));
          for (String values : VALUES) {
            line.append(' ').append(object.has(values) ? valueOf(object, values, node) : "-");
          }
          lines.add(line.toString());
        }
        VALUES.forEach(object::remove);
        object.addProperty("nodes", lines.stream().sorted().collect(Collectors.joining("\n")));
      }
    }
  }

  private static String linesOf(JsonObject lines, JsonArray frames) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < lines.getAsJsonArray("line").size(); i++) {
      String amounts =
          valueOf(lines, "cpu", i)
              + (lines.has("waiting") ? " " + valueOf(lines, "waiting", i) : "");
      if (!amounts.matches("0( 0)?")) {
        int frame = lines.getAsJsonArray("frame").get(i).getAsInt();
        String name = frames.get(frame).getAsJsonArray().get(0).toString();
        found.add(name + ":" + valueOf(lines, "line", i) + " " + amounts);
      }
    }
    return String.join("\n", found.stream().sorted().toList());
  }

  private static String valueOf(JsonObject tree, String values, int node) {
    return tree.getAsJsonArray(values).get(node).toString();
  }
}
