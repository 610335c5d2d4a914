/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The name of a method in a question: in full, without types, or as an answer prints it. */
final class MethodName {
  private static final int SUGGESTED = 5;

  private final String asked;

  MethodName(String asked) {
    this.asked = asked.strip().replace("`", "");
  }

  boolean matches(Frame frame) {
    return frame.name().equals(asked)
        || Callers.withoutTypes(frame).equals(asked)
        || Answer.name(frame.name()).equals(asked)
        || Answer.name(Callers.withoutTypes(frame)).equals(asked)
        || Callers.text(List.of(frame)).equals(asked);
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
