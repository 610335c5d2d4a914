/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Promise: the links of the pages lead somewhere, and the commands that they name exist. */
class LinksInPagesTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]*))?\\)");
  private static final Pattern PAGE_IN_TEXT = Pattern.compile("\\bdocs/[\\w/-]+\\.(?:md|png)\\b");
  // In code within a line, or as a whole line of a block.
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:`|^(?=make [a-z-]+(?: +#.*| [A-Z_]+=.*)?$))make (?:-s )?([a-z][a-z-]*)",
          Pattern.MULTILINE);
  private static final Pattern TARGETS = Pattern.compile("^([a-z][a-z -]*):", Pattern.MULTILINE);

  @Test
  void links_toFilesAndHeadings_leadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : Pages.all()) {
      Matcher link = LINK.matcher(Pages.prose(page));
      for (; link.find(); links++) {
        String file = link.group(1);
        if (file.matches("[a-z]+:.*")) {
          continue;
        }
        Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        boolean isThere =
            Files.exists(target)
                && (link.group(2) == null || Pages.anchors(target).contains(link.group(2)));
        if (!isThere) {
          broken.add(page + " " + link.group());
        }
      }
    }

    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(200);
  }

  @Test
  void pages_namedBySourcesAndScripts_exist() throws IOException {
    Set<String> named = new TreeSet<>();
    for (Path file : sources()) {
      PAGE_IN_TEXT.matcher(Files.readString(file)).results().forEach(m -> named.add(m.group()));
    }

    assertThat(named).hasSizeGreaterThan(5).allMatch(page -> Files.exists(Path.of(page)));
  }

  @Test
  void targets_ofMakeInThePages_exist() throws IOException {
    Set<String> ofTheTop = targets(Path.of("Makefile"));
    ofTheTop.addAll(targets(Path.of("examples/examples.mk")));
    ofTheTop.addAll(targets(Path.of("testbed/testbed.mk")));
    ofTheTop.addAll(targets(Path.of("packaging/packages.mk")));
    Set<String> missing = new TreeSet<>();
    int commands = 0;
    for (Path page : Pages.all()) {
      Set<String> known = new HashSet<>(ofTheTop);
      known.addAll(targets(page.resolveSibling("Makefile")));
      Matcher command = COMMAND.matcher(Files.readString(page));
      for (; command.find(); commands++) {
        if (!known.contains(command.group(1))) {
          missing.add(page + " " + command.group());
        }
      }
    }

    assertThat(missing).isEmpty();
    assertThat(commands).isGreaterThan(50);
  }

  private static Set<String> targets(Path makefile) throws IOException {
    Set<String> targets = new HashSet<>();
    if (Files.exists(makefile)) {
      TARGETS
          .matcher(Files.readString(makefile))
          .results()
          .forEach(match -> targets.addAll(List.of(match.group(1).split(" "))));
    }
    return targets;
  }

  /** Returns what may name a page in a comment, a message or a script. */
  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>(List.of(Path.of("Makefile"), Path.of("pom.xml")));
    List<Path> roots =
        new ArrayList<>(Stream.of("native", ".ci", "examples").map(Path::of).toList());
    Pages.artifacts().forEach(folder -> roots.add(folder.resolve("src")));
    for (Path root : roots) {
      try (Stream<Path> files = Files.walk(root)) {
        files
            .filter(Files::isRegularFile)
            .filter(f -> f.toString().matches(".*\\.(java|c|h|sh|mk|txt|yaml)|\\.ci/[^.]*"))
            .filter(f -> !f.toString().matches(".*/(target|build|node_modules)/.*"))
            .forEach(sources::add);
      }
    }
    return sources;
  }
}
