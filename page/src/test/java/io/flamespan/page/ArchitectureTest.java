/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dependencies between packages point in one direction only. */
class ArchitectureTest {
  private static final Path ROOT = Path.of("src/main/java/io/flamespan/page");
  private static final Pattern USE =
      Pattern.compile("\\bio\\.flamespan\\.page((?:\\.[a-z]\\w*)*)\\.[A-Z]");

  @Test
  void packages_haveAnOrder_inWhichEachUsesOnlyThoseBefore() throws IOException {
    Map<String, Set<String>> uses = uses();
    assertThat(uses).hasSizeGreaterThan(10);
    Set<String> before = new TreeSet<>();
    int known = -1;
    while (known < before.size()) {
      known = before.size();
      uses.forEach(
          (one, used) -> {
            if (before.containsAll(used)) {
              before.add(one);
            }
          });
    }
    uses.keySet().removeAll(before);

    assertThat(uses).as("packages of a circle, or that use one, with what they use").isEmpty();
  }

  private static Map<String, Set<String>> uses() throws IOException {
    Map<String, Set<String>> uses = new TreeMap<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
        String own = ROOT.relativize(file.getParent()).toString().replace('/', '.');
        Set<String> used = uses.computeIfAbsent(own, added -> new TreeSet<>());
        Matcher use = USE.matcher(Files.readString(file));
        while (use.find()) {
          used.add(use.group(1).isEmpty() ? "" : use.group(1).substring(1));
        }
        used.remove(own);
      }
    }
    uses.values().forEach(used -> used.retainAll(uses.keySet())); // without what is generated
    return uses;
  }
}
