/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static io.flamespan.page.Example.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The file for the Firefox Profiler, against the types of version 66 of its processed format in
 * src/types/profile.ts of firefox-devtools/profiler.
 */
class FirefoxProfileTest {
  private static final Map<String, List<String>> TABLES =
      Map.of(
          "stackTable", List.of("frame", "prefixOffset"),
          "frameTable",
              List.of(
                  "address",
                  "inlineDepth",
                  "category",
                  "subcategory",
                  "func",
                  "nativeSymbol",
                  "innerWindowID",
                  "line",
                  "column",
                  "originalLocation"),
          "funcTable",
              List.of(
                  "name",
                  "isJS",
                  "relevantForJS",
                  "resource",
                  "source",
                  "lineNumber",
                  "columnNumber",
                  "originalLocation"),
          "resourceTable", List.of("lib", "name", "host", "type"),
          "nativeSymbols", List.of("libIndex", "address", "name", "functionSize"),
          "sources",
              List.of("id", "filename", "startLine", "startColumn", "sourceMapURL", "content"),
          "sourceLocationTable", List.of("source", "line", "column"));

  @TempDir Path directory;

  private JsonObject profile;

  @BeforeEach
  void join() throws IOException {
    Path output = Example.run(directory).output();
    profile =
        JsonParser.parseString(Files.readString(output.resolve("firefox-profile.json")))
            .getAsJsonObject();
  }

  @Test
  void tables_haveTheColumnsOfTheFormatWithTheirLengths() {
    JsonObject shared = profile.getAsJsonObject("shared");
    TABLES.forEach((table, columns) -> assertTable(shared.getAsJsonObject(table), columns));
    for (JsonElement thread : profile.getAsJsonArray("threads")) {
      JsonObject of = thread.getAsJsonObject();
      assertTable(of.getAsJsonObject("samples"), List.of("stack", "time", "weight"));
      assertTable(
          of.getAsJsonObject("markers"),
          List.of("name", "startTime", "endTime", "phase", "category", "data"));
      assertThat(of.get("pid").getAsJsonPrimitive().isString()).isTrue();
    }
    assertThat(profile.getAsJsonObject("meta").get("preprocessedProfileVersion").getAsInt())
        .isEqualTo(66);
  }

  private static void assertTable(JsonObject table, List<String> columns) {
    for (String column : columns) {
      assertThat(table.getAsJsonArray(column)).hasSize(table.get("length").getAsInt());
    }
  }

  @Test
  void tracks_haveTheCpuTimeOfTheirEndpointsAndThreads() {
    assertThat(profile.getAsJsonArray("threads"))
        .extracting(
            thread -> thread.getAsJsonObject().get("name").getAsString(),
            thread -> sum(samples(thread).getAsJsonArray("weight")))
        .containsExactly(
            tuple("GET /checkout", 70.0),
            tuple("reserve", 30.0),
            tuple("GET /search", 0.0),
            tuple("(no request) (no name)", 20.0));
  }

  @Test
  void stacks_ofSamples_leadToTheirFrames() {
    JsonElement thread = profile.getAsJsonArray("threads").get(1);

    assertThat(stack(samples(thread).getAsJsonArray("stack").get(0).getAsInt()))
        .isEqualTo("main;reserve;lock");
  }

  private String stack(int leaf) {
    JsonObject shared = profile.getAsJsonObject("shared");
    JsonObject stacks = shared.getAsJsonObject("stackTable");
    JsonObject funcs = shared.getAsJsonObject("funcTable");
    JsonArray functions = shared.getAsJsonObject("frameTable").getAsJsonArray("func");
    int function = functions.get(stacks.getAsJsonArray("frame").get(leaf).getAsInt()).getAsInt();
    int string = funcs.getAsJsonArray("name").get(function).getAsInt();
    String name = shared.getAsJsonArray("stringArray").get(string).getAsString();
    int offset = stacks.getAsJsonArray("prefixOffset").get(leaf).getAsInt();
    return offset == 0 ? name : stack(leaf - offset) + ";" + name;
  }

  @Test
  void markers_areTheRequestsAndTheirSpans() {
    JsonObject markers =
        profile.getAsJsonArray("threads").get(0).getAsJsonObject().getAsJsonObject("markers");
    JsonArray strings = profile.getAsJsonObject("shared").getAsJsonArray("stringArray");

    assertThat(markers.getAsJsonArray("name"))
        .extracting(name -> strings.get(name.getAsInt()).getAsString())
        .containsExactly("GET /checkout", "price", "GET /checkout");
    assertThat(markers.getAsJsonArray("data"))
        .extracting(data -> data.getAsJsonObject().get("type").getAsString())
        .containsExactly("Request", "Span", "Request");
    assertThat(markers.getAsJsonArray("startTime").get(1).getAsDouble()).isEqualTo(20);
    assertThat(markers.getAsJsonArray("endTime").get(1).getAsDouble()).isEqualTo(80);
    assertThat(profile.getAsJsonObject("meta").get("startTime").getAsDouble())
        .isEqualTo(Example.START / (double) MS);
  }

  private static JsonObject samples(JsonElement thread) {
    return thread.getAsJsonObject().getAsJsonObject("samples");
  }

  private static double sum(JsonArray numbers) {
    return numbers.asList().stream().mapToDouble(JsonElement::getAsDouble).sum();
  }
}
