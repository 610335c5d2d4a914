/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.output.Markdown;
import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The name of a method in a question: in full, without types, or as an answer prints it. */
final class MethodName {
  private static final int EXACT = 0;
  private static final int TOLD_APART = 1; // from others with the same name
  private static final int PRINTED = 2;
  private static final int SHORT = 3;
  private static final int OTHER = 4;
  private static final int SUGGESTED = 5;

  private final String asked;

  MethodName(String asked) {
    this.asked = asked.strip().replace("`", "");
  }

  /** Those of these methods that have the name, in the most exact way of those in which any has. */
  Set<Frame> meant(Set<Frame> methods) {
    SortedMap<Integer, Set<Frame>> byForm =
        methods.stream()
            .collect(Collectors.groupingBy(this::form, TreeMap::new, Collectors.toSet()));
    byForm.remove(OTHER);
    return byForm.values().stream().findFirst().orElse(Set.of());
  }

  private int form(Frame method) {
    if (method.name().equals(asked)) {
      return EXACT;
    }
    String printed = Answer.name(method.name());
    if (printed.equals(asked)
        || Callers.withoutTypes(method).equals(asked)
        || Answer.name(Callers.withoutTypes(method)).equals(asked)) {
      return PRINTED;
    }
    String shown = Markdown.shown(asked);
    if (shown.startsWith(Markdown.shown(printed))
        && MethodNames.forms(method).stream().map(Markdown::shown).anyMatch(shown::equals)) {
      return TOLD_APART;
    }
    return Callers.text(List.of(method)).equals(asked) ? SHORT : OTHER;
  }

  /** Methods of these graphs with such a name. */
  String suggestion(List<FlameTree> trees) {
    String part = asked.toLowerCase(Locale.ROOT);
    Set<String> like = new TreeSet<>();
    for (FlameTree tree : trees) {
      for (int node = 1; node < tree.size(); node++) {
        String name = tree.frame(node).name();
        if (name.toLowerCase(Locale.ROOT).contains(part)) {
          like.add(Answer.name(name));
        }
      }
    }
    return like.isEmpty()
        ? "; the answer to methods has their names"
        : "; did you mean " + String.join(", ", like.stream().limit(SUGGESTED).toList()) + "?";
  }
}
