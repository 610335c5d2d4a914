/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.pages;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Promise: the rationale names each class in which all errors end. */
class BordersPageTest {
  private static final Pattern SECTION = Pattern.compile("(?s)\n## Where errors end\n(.*?)\n## ");
  private static final Pattern IN_ROW = Pattern.compile("(?m)(?<=^\\| )[^|]*");
  private static final Pattern THROWING_ON = Pattern.compile("(?s)other handlers throw on: .*?\\.");
  private static final Pattern ATTEMPT = Pattern.compile("[lL]ogger\\s*\\.(attempt|orElse)\\(");
  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w+)`");

  @Test
  void classes_thatCatchAll_areThoseThatTheRationaleNames() throws IOException {
    Set<String> catching = new TreeSet<>();
    Set<String> running = new TreeSet<>(); // a step that may fail
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        String source = Files.readString(file);
        String name = file.getFileName().toString().replace(".java", "");
        if (source.contains("catch (Throwable ")) {
          catching.add(name);
        } else if (source.contains(".failure()") || ATTEMPT.matcher(source).find()) {
          running.add(name);
        }
      }
    }
    String section =
        SECTION
            .matcher(Files.readString(Path.of("docs/internals/rationale.md")))
            .results()
            .map(found -> found.group(1))
            .findFirst()
            .orElseThrow();

    Set<String> named =
        Stream.of(IN_ROW, THROWING_ON)
            .flatMap(part -> part.matcher(section).results())
            .map(MatchResult::group)
            .flatMap(part -> CLASS.matcher(part).results())
            .map(name -> name.group(1))
            .filter(name -> !name.equals("Throwable"))
            .collect(toCollection(TreeSet::new));
    assertThat(named).containsAll(catching);
    named.removeAll(catching);
    assertThat(running).containsAll(named);
  }
}
