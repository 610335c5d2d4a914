/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The output files of the stand-in profiler. */
public final class StandInOutput {

  private final Counts sent = new Counts();
  private final Map<String, List<String>> stacks = new HashMap<>();
  private final List<SampledRecords.Sample> records;
  private final JsonObject summary;

  /**
   * Reads the files of the options {@code --sent}, {@code --stacks}, {@code --records} and {@code
   * --summary}. The file of stacks may be missing.
   */
  StandInOutput(Path sentFile, Path stacksFile, Path recordsFile, Path summaryFile)
      throws IOException {
    Files.readAllLines(sentFile).forEach(sent::add);
    List<String> lines = Files.exists(stacksFile) ? Files.readAllLines(stacksFile) : List.of();
    for (String line : lines) {
      JsonObject stack = JsonParser.parseString(line).getAsJsonObject();
      List<String> frames = new ArrayList<>();
      stack.getAsJsonArray("frames").forEach(frame -> frames.add(frame.getAsString()));
      stacks.put(stack.get("id").getAsString(), frames);
    }
    records = SampledRecords.read(recordsFile);
    summary = JsonParser.parseString(Files.readString(summaryFile)).getAsJsonObject();
  }

  /** Returns each correlation message sent, as {@code trace-id transaction-id stack-trace-id}. */
  public Counts sent() {
    return sent;
  }

  /** Returns the samples that showed a trace in both protocols. */
  List<SampledRecords.Sample> records() {
    return records;
  }

  /** Returns whether the file of stacks contains the id. */
  public boolean knows(String stackTraceId) {
    return stacks.containsKey(stackTraceId);
  }

  /** Returns the uppermost method of the stack, without its package. */
  public String leafMethod(String stackTraceId) {
    List<String> frames = stacks.getOrDefault(stackTraceId, List.of());
    return frames.isEmpty() ? "?" : frames.get(0).replaceFirst("^([a-z_][\\w]*[./])+(?=[A-Z])", "");
  }

  /** Returns a counter or a text of the summary, or "none". */
  public String summary(String name) {
    JsonElement value = summary.get(name);
    return value == null || value.isJsonNull() ? "none" : value.getAsString();
  }
}
