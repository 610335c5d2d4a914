/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonWriter;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Sentence;
import io.flamespan.page.timeline.Recorded;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Set;

/** The single requests of an endpoint as the page has them, with its frames. */
public final class WrittenBox {
  private static final int UNLIMITED = Integer.MAX_VALUE;

  private WrittenBox() {}

  /** All of them, with a graph of so many nodes at most. */
  public static JsonObject of(RequestStacks stacks, int mostNodes) throws IOException {
    return of(stacks, mostNodes, new BoxLimits(UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED));
  }

  static JsonObject of(RequestStacks stacks, int mostNodes, BoxLimits limits) throws IOException {
    StringWriter text = new StringWriter();
    JsonWriter json = new JsonWriter(text);
    json.beginObject();
    Graphs graphs = new Graphs(json);
    new BoxData("GET /", stacks, mostNodes, limits).write(json, graphs);
    graphs.frames(Sentence.of(() -> new Recorded(Set.of(), 0), name -> name));
    json.endObject();
    return JsonParser.parseString(text.toString()).getAsJsonObject();
  }
}
