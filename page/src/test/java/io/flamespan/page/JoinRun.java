/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A run of the program with the files of a directory, and its output. */
record JoinRun(int status, List<String> lines, Path output) {
  private static final Pattern DATA =
      Pattern.compile(
          "<script id=\"data\" type=\"application/json\">(.*?)</script>", Pattern.DOTALL);

  static JoinRun of(Path input) {
    return with(input.resolveSibling(input.getFileName() + "-out"), input.toString());
  }

  /** Runs with these arguments after that for the output. */
  static JoinRun with(Path output, String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "--out";
    all[1] = output.toString();
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    int status = FlameGraphs.run(all, InputStream.nullInputStream(), out, out);
    return new JoinRun(status, printed.toString(StandardCharsets.UTF_8).lines().toList(), output);
  }

  /** Runs with these bytes as its files. */
  static JoinRun of(Path directory, byte[]... files) throws IOException {
    Path input = Files.createDirectories(directory.resolve("input"));
    for (int i = 0; i < files.length; i++) {
      Files.write(input.resolve("file-" + i), files[i]);
    }
    return of(input);
  }

  Path page() {
    return output.resolve("flame-graphs.html");
  }

  JsonObject data() throws IOException {
    Matcher data = DATA.matcher(Files.readString(page()));
    if (!data.find()) {
      throw new AssertionError("no data in " + page());
    }
    return JsonParser.parseString(data.group(1)).getAsJsonObject();
  }

  JsonObject endpoint(String name) throws IOException {
    for (var endpoint : data().getAsJsonArray("endpoints")) {
      if (endpoint.getAsJsonObject().get("name").getAsString().equals(name)) {
        return endpoint.getAsJsonObject();
      }
    }
    throw new AssertionError("no endpoint " + name + " in " + data());
  }

  JsonObject summaryOf(String endpoint) throws IOException {
    JsonObject summary =
        JsonParser.parseString(Files.readString(output.resolve("summary.json"))).getAsJsonObject();
    for (var one : summary.getAsJsonArray("endpoints")) {
      if (one.getAsJsonObject().get("name").getAsString().equals(endpoint)) {
        return one.getAsJsonObject();
      }
    }
    throw new AssertionError("no endpoint " + endpoint + " in summary.json");
  }

  /** The trace of the slowest request of this endpoint. */
  JsonObject traceOf(String endpoint) throws IOException {
    int trace =
        endpoint(endpoint)
            .getAsJsonArray("slowest")
            .get(0)
            .getAsJsonObject()
            .get("trace")
            .getAsInt();
    return data().getAsJsonArray("traces").get(trace).getAsJsonObject();
  }

  long samplesOf(String endpoint) throws IOException {
    return endpoint(endpoint).getAsJsonObject("tally").get("samples").getAsLong();
  }

  long unjoined(String reason) throws IOException {
    for (var row : data().getAsJsonArray("unjoined")) {
      if (row.getAsJsonObject().get("reason").getAsString().equals(reason)) {
        return row.getAsJsonObject().getAsJsonObject("tally").get("samples").getAsLong();
      }
    }
    throw new AssertionError("no reason " + reason);
  }

  List<String> notes() {
    return lines.stream().filter(line -> line.startsWith("note: ")).toList();
  }
}
