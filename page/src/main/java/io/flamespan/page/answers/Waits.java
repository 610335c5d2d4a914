/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.results.FlameTree;
import io.flamespan.page.results.Frame;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.WaitReasons;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Waits by their reason and the innermost method of own code. */
final class Waits {
  private static final int FEW = 10; // A tenth of all waits is worth a hint.

  /** The own method is null if there is none. */
  private record Key(String reason, @Nullable Frame own) {}

  private static final class Sum {
    private final Map<Frame, Long> java = new HashMap<>(); // the innermost methods
    private final Callers callers = new Callers();
    private long nanos;

    @Nullable Frame mostJava() {
      return java.entrySet().stream()
          .max(
              Comparator.comparingLong((Map.Entry<Frame, Long> one) -> one.getValue())
                  .thenComparing(one -> one.getKey().name()))
          .map(Map.Entry::getKey)
          .orElse(null);
    }
  }

  private final OwnCode ownCode;
  private final WaitReasons reasons = new WaitReasons();
  private final Map<Key, Sum> sums = new HashMap<>();
  private long whole;

  Waits(OwnCode ownCode) {
    this.ownCode = ownCode;
  }

  /** Adds the waits, or those for locks if there are more of these. */
  void add(List<FlameTree> trees) {
    long waits = trees.stream().mapToLong(tree -> tree.amount(Measure.WAIT, 0)).sum();
    long locks = trees.stream().mapToLong(tree -> tree.amount(Measure.LOCK, 0)).sum();
    boolean ofLocks = locks > waits;
    trees.forEach(tree -> add(tree, ofLocks ? Measure.LOCK : Measure.WAIT));
  }

  private void add(FlameTree tree, Measure measure) {
    whole += tree.amount(measure, 0);
    long[] self = self(tree, measure);
    Callers.Paths paths = new Callers.Paths(tree, ownCode);
    for (int leaf = 0; leaf < tree.size(); leaf++) {
      if (self[leaf] == 0) {
        continue;
      }
      Frame java = null;
      int node = leaf;
      for (; node > 0; node = tree.parent(node)) {
        java = java == null && ownCode.isJava(tree.frame(node)) ? tree.frame(node) : java;
        if (ownCode.isOwn(tree.frame(node))) {
          break;
        }
      }
      String reason = reasons.of(tree::parent, tree::frame, leaf, node);
      if (measure == Measure.LOCK && reason.equals(WaitReasons.UNKNOWN)) {
        reason = WaitReasons.LOCK;
      }
      Key key = new Key(reason, node == 0 ? null : tree.frame(node));
      Sum sum = sums.computeIfAbsent(key, added -> new Sum());
      sum.nanos += self[leaf];
      sum.callers.add(paths, node, self[leaf]);
      if (java != null) {
        sum.java.merge(java, self[leaf], Long::sum);
      }
    }
  }

  /** What is in the nodes themselves. */
  private static long[] self(FlameTree tree, Measure measure) {
    long[] self = new long[tree.size()];
    for (int node = tree.size() - 1; node >= 0; node--) {
      self[node] += tree.amount(measure, node);
      if (node > 0) {
        self[tree.parent(node)] -= tree.amount(measure, node);
      }
    }
    return self;
  }

  /** Writes as many as there is room for before the end. */
  void write(Answer answer, Answer end) {
    MethodNames names =
        new MethodNames(
            sums.entrySet().stream()
                .flatMap(
                    one ->
                        Stream.concat(
                            Stream.ofNullable(one.getKey().own()),
                            Stream.ofNullable(one.getValue().mostJava())))
                .toList());
    List<Map.Entry<Key, Sum>> sorted = new ArrayList<>(sums.entrySet());
    sorted.sort(
        Comparator.comparingLong((Map.Entry<Key, Sum> one) -> -one.getValue().nanos)
            .thenComparing(one -> one.getKey().reason())
            .thenComparing(one -> name(names, one.getKey().own())));
    answer
        .line("| own code | called from | innermost Java method | reason | waiting ms | %% |")
        .line("| --- | --- | --- | --- | --: | --: |");
    List<String> rows = new ArrayList<>();
    for (Map.Entry<Key, Sum> one : sorted) {
      Key key = one.getKey();
      Sum sum = one.getValue();
      rows.add(
          row(
              sum.nanos,
              name(names, key.own()),
              sum.callers.most(rows.size()),
              name(names, sum.mostJava()),
              key.reason()));
    }
    Answer after =
        new Answer()
            .line("%s", row(whole, "all", "", "", ""))
            .line("")
            .line("| reason | waiting ms | %% |")
            .line("| --- | --: | --: |");
    byReason().entrySet().stream()
        .sorted(Comparator.comparingLong(one -> -one.getValue()))
        .forEach(one -> after.line("%s", row(one.getValue(), one.getKey())));
    after.add(end);
    int shown = answer.rows(rows, after);
    if (shown < rows.size()) {
      long rest = 0;
      for (Map.Entry<Key, Sum> one : sorted.subList(shown, sorted.size())) {
        rest += one.getValue().nanos;
      }
      answer.line("%s", row(rest, "(" + (rows.size() - shown) + " others)", "", "", ""));
    }
    answer.add(after);
  }

  private Map<String, Long> byReason() {
    Map<String, Long> byReason = new TreeMap<>();
    sums.forEach((key, sum) -> byReason.merge(key.reason(), sum.nanos, Long::sum));
    return byReason;
  }

  /** Whether a hint about this reason is worth its words. */
  boolean isMuch(String reason) {
    return whole > 0 && byReason().getOrDefault(reason, 0L) * FEW >= whole;
  }

  long ownNanos() {
    return sums.entrySet().stream()
        .filter(one -> one.getKey().own() != null)
        .mapToLong(one -> one.getValue().nanos)
        .sum();
  }

  long whole() {
    return whole;
  }

  /** The own classes that wait for locks. */
  Set<String> classesWithLocks() {
    Set<String> classes = new TreeSet<>();
    sums.forEach(
        (key, sum) -> {
          boolean lock = key.reason().equals(WaitReasons.LOCK) && sum.nanos * FEW >= whole;
          if (lock && key.own() != null) {
            classes.add(type(key.own()));
          }
        });
    return classes;
  }

  /**
   * What methods of these classes and what they call did, but for waits for locks. Unless the
   * profile says who held a lock, it is mostly a method of a class that waits for it. The innermost
   * own method comes first, and then the one of the class if that is another.
   */
  Map<List<Frame>, Long> holders(Iterable<FlameTree> trees, Set<String> classes) {
    Map<List<Frame>, Long> holders = new HashMap<>();
    for (FlameTree tree : trees) {
      for (Measure measure : List.of(Measure.CPU, Measure.WAIT)) {
        long[] self = self(tree, measure);
        for (int leaf = 1; leaf < tree.size(); leaf++) {
          int own = 0;
          int node = self[leaf] == 0 ? 0 : leaf;
          while (node > 0 && !classes.contains(type(tree.frame(node)))) {
            own = own == 0 && ownCode.isOwn(tree.frame(node)) ? node : own;
            node = tree.parent(node);
          }
          if (node > 0
              && !reasons.of(tree::parent, tree::frame, leaf, node).equals(WaitReasons.LOCK)) {
            Frame of = tree.frame(node);
            List<Frame> path = own == 0 ? List.of(of) : List.of(tree.frame(own), of);
            holders.merge(path, self[leaf], Long::sum);
          }
        }
      }
    }
    return holders;
  }

  /** The class of a method. */
  private static String type(Frame frame) {
    String name = Callers.withoutTypes(frame);
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  private String row(long nanos, Object... titles) {
    List<Object> cells = new ArrayList<>(List.of(titles));
    cells.add(Answer.millions(nanos));
    cells.add(Answer.percent(nanos, whole));
    return Answer.row(cells.toArray());
  }

  private static String name(MethodNames names, @Nullable Frame frame) {
    return frame == null ? "–" : names.printed(frame);
  }
}
