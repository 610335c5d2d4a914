/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.pages;

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

  private static final Pattern MODULE = Pattern.compile("<module>../(.*)pom.xml</module>");

  private Pages() {}

  /** Returns the folders of the published artifacts, the empty one for the root. */
  static List<Path> artifacts() throws IOException {
    return MODULE
        .matcher(Files.readString(Path.of("parent/reactor.xml")))
        .results()
        .map(module -> Path.of(module.group(1)))
        .toList();
  }

  /** Returns README, CHANGELOG, and the pages below these folders and those of artifacts. */
  static List<Path> all() throws IOException {
    Stream<Path> others = artifacts().stream().filter(folder -> !folder.toString().isEmpty());
    try (Stream<Path> below =
        Stream.concat(Stream.of("docs", "examples", "testbed").map(Path::of), others)
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
