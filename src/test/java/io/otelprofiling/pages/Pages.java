/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Markdown pages of the tree, which tests compare with what they describe. */
final class Pages {
  private static final Set<String> BUILT = Set.of("target", "build", "node_modules");
  private static final Pattern FENCED =
      Pattern.compile("^```.*?^```$", Pattern.MULTILINE | Pattern.DOTALL);

  private Pages() {}

  /** Returns README, CHANGELOG, and the pages below these folders. */
  static List<Path> all() throws IOException {
    try (Stream<Path> below =
        Stream.of("docs", "doctor", "elastic", "examples", "page", "spring-boot-starter", "testbed")
            .map(Path::of)
            .filter(Files::isDirectory)
            .flatMap(Pages::walk)) {
      return Stream.concat(Stream.of(Path.of("README.md"), Path.of("CHANGELOG.md")), below)
          .toList();
    }
  }

  private static Stream<Path> walk(Path directory) {
    try {
      return Files.walk(directory)
          .filter(file -> file.toString().endsWith(".md"))
          .filter(file -> Stream.of(file.toString().split("/")).noneMatch(BUILT::contains));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the text of a page without its fenced blocks. */
  static String prose(Path page) throws IOException {
    return FENCED.matcher(Files.readString(page)).replaceAll("");
  }

  /** Returns the anchors of the headings of a page, as GitHub makes them. */
  static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    for (String line : prose(page).lines().filter(l -> l.matches("#{1,6} .*")).toList()) {
      String anchor =
          line.replaceFirst("#+ ", "")
              .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      String different = anchor;
      for (int i = 1; !anchors.add(different); i++) {
        different = anchor + "-" + i;
      }
    }
    return anchors;
  }
}
