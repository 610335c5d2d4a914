/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.OwnCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** From where something was called: amounts by the nearest own methods above it. */
final class Callers {
  private static final int NEAREST = 8;
  private static final int NEAREST_OF_OTHERS = 3;
  private static final int FIRST_ROWS = 3;
  private static final int LONGEST_NAME = 60;
  private static final int LONGEST_PATH = 240;

  private final Map<List<Frame>, Long> sums = new HashMap<>();

  /** The own methods above the nodes of a graph. */
  static final class Paths {
    private final FlameTree tree;
    private final OwnCode ownCode;
    private final Map<Integer, List<Frame>> known = new HashMap<>();

    Paths(FlameTree tree, OwnCode ownCode) {
      this.tree = tree;
      this.ownCode = ownCode;
    }

    /** The nearest first, each once. */
    List<Frame> above(int node) {
      return known.computeIfAbsent(node, this::find);
    }

    private List<Frame> find(int node) {
      List<Frame> found = new ArrayList<>();
      Frame called = node == 0 ? null : tree.frame(node);
      for (int above = node == 0 ? 0 : tree.parent(node);
          above > 0 && found.size() < NEAREST;
          above = tree.parent(above)) {
        Frame frame = tree.frame(above);
        if (!frame.equals(called) && ownCode.isOwn(frame) && !found.contains(frame)) {
          found.add(frame);
        }
      }
      return found;
    }
  }

  void add(Paths paths, int node, long amount) {
    if (amount > 0) {
      sums.merge(paths.above(node), amount, Long::sum);
    }
  }

  /** The path with the most, as far as it is in own code. In the first rows, more of it. */
  String most(int row) {
    int most = row < FIRST_ROWS ? NEAREST : NEAREST_OF_OTHERS;
    return sums.entrySet().stream()
        .max(
            Comparator.comparingLong((Map.Entry<List<Frame>, Long> one) -> one.getValue())
                .thenComparing(one -> one.getKey().toString()))
        .map(one -> text(one.getKey().stream().limit(most).toList()))
        .orElse("–");
  }

  static String text(List<Frame> path) {
    StringBuilder text = new StringBuilder();
    for (Frame frame : path) {
      String next = shortName(frame);
      if (text.length() + next.length() > LONGEST_PATH) {
        return text + " ← …";
      }
      text.append(text.length() == 0 ? "" : " ← ").append(next);
    }
    return text.length() == 0 ? "–" : text.toString();
  }

  /** The name of a method, without the types of its parameters and of its result. */
  static String withoutTypes(Frame frame) {
    return frame.name().replaceFirst("\\(.*", "").replaceFirst("^.* ", "");
  }

  /** The class and the method. */
  private static String shortName(Frame frame) {
    String name = withoutTypes(frame);
    int method = name.lastIndexOf('.');
    int type = Math.max(name.lastIndexOf('.', method - 1), name.lastIndexOf('/', method - 1));
    String cut = name.substring(type + 1);
    return Answer.name(cut.length() > LONGEST_NAME ? "…" + Answer.end(cut, LONGEST_NAME) : cut);
  }
}
