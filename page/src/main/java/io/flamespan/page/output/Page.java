/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Puts scripts, styles and data into one file. The page's content security policy names scripts and
 * style by their hashes, so that nothing else is executed or loaded.
 */
final class Page {
  private static final List<String> STYLES =
      List.of("npm/uplot/dist/uPlot.min.css", "page/page.css");
  private static final List<String> LIBRARIES = List.of("npm/uplot/dist/uPlot.iife.min.js");
  private static final List<String> SCRIPTS =
      List.of(
          "page/format.js",
          "page/elements.js",
          "page/address.js",
          "page/names.js",
          "page/graph.js",
          "page/chance.js",
          "page/lens.js",
          "page/flame.js",
          "page/methods.js",
          "page/panel.js",
          "page/waiting.js",
          "page/measured.js",
          "page/parts.js",
          "page/timeline.js",
          "page/narrow.js",
          "page/ranges.js",
          "page/charts.js",
          "page/requests.js",
          "page/compare.js",
          "page/changes.js",
          "page/differing.js",
          "page/slow.js",
          "page/box.js",
          "page/most.js",
          "page/overview.js",
          "page/details.js",
          "page/main.js");
  private static final String FOLLOWS = "page/follow.js";

  /**
   * What is around the data.
   *
   * @param before ends with the tag of the data
   */
  record Around(String policy, String before, String after) {}

  private Page() {}

  static void write(Path file, PageData data, List<String> problems) throws IOException {
    Around around = ofFile();
    try (Writer out = TextFiles.writer(file)) {
      out.write(around.before());
      writeData(out, data, problems);
      out.write(around.after());
    }
  }

  static void writeData(Writer out, PageData data, List<String> problems) throws IOException {
    // Not closed, as that would close the file.
    JsonWriter json = new JsonWriter(out);
    json.setHtmlSafe(true);
    data.write(json, problems);
    json.flush();
  }

  static Around ofFile() {
    return around(SCRIPTS, "");
  }

  /** It may ask the server for new data, and nobody else for anything. */
  static Around served() {
    return around(
        Stream.concat(SCRIPTS.stream(), Stream.of(FOLLOWS)).toList(), "connect-src 'self'; ");
  }

  private static Around around(List<String> scripts, String connections) {
    String style = all(STYLES);
    String libraries = all(LIBRARIES);
    String script = "'use strict';\n{\n" + all(scripts) + "}\n";
    String policy =
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
            + connections
            + "style-src "
            + hash(style)
            + "; script-src "
            + hash(libraries)
            + " "
            + hash(script);
    String[] template = resource("page/page.html").split("@data@", -1);
    return new Around(
        policy,
        template[0].replace("@policy@", policy).replace("@style@", style),
        template[1].replace("@libraries@", libraries).replace("@script@", script));
  }

  private static String all(List<String> names) {
    return names.stream().map(Page::resource).collect(Collectors.joining("\n"));
  }

  private static String resource(String name) {
    try (InputStream in = Page.class.getClassLoader().getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing in the jar; build it with Maven");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
