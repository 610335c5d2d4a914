/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.answers;

import io.otelprofiling.page.results.FlameTree;
import io.otelprofiling.page.results.Frame;
import io.otelprofiling.page.results.Measure;
import io.otelprofiling.page.results.OwnCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Waits by their reason, the innermost method of Java and the innermost one of own code. */
final class Waits {
  private static final String UNKNOWN = "unknown";

  /** Where a frame leaves no doubt. The page has the same patterns in waiting.js. */
  private static final Map<String, Pattern> REASONS = new LinkedHashMap<>();

  static {
    REASONS.put(
        "sleep", Pattern.compile("java\\.lang\\.Thread\\.sleep|(^|_)(hrtimer|do|clock)_nanosleep"));
    REASONS.put(
        "a lock",
        Pattern.compile(
            "java\\.util\\.concurrent\\.locks\\.(Reentrant\\w*|Stamped)Lock\\b"
                + "|ObjectMonitor::(enter|reenter)|complete_monitor_locking"));
    REASONS.put(
        "another thread",
        Pattern.compile(
            "java\\.lang\\.(Object\\.wait|Thread\\.join)|ObjectMonitor::wait"
                + "|java\\.util\\.concurrent\\.(CountDownLatch|CyclicBarrier|Phaser|Exchanger"
                + "|Semaphore|FutureTask|ForkJoinTask|CompletableFuture|\\w+Queue)\\b"));
    REASONS.put(
        "I/O",
        Pattern.compile(
            "sun\\.nio\\.(ch|fs)\\.|java\\.net\\.\\w*Socket"
                + "|java\\.io\\.(File|RandomAccessFile)\\w*\\.(read|write)"
                + "|^(tcp|sock|unix_stream|inet_csk)_\\w+$"
                + "|^(do_sys_poll|ep_poll|do_epoll_wait|io_schedule\\w*|pipe_read)$"));
  }

  /** The frames are null if there is none. */
  private record Key(String reason, Frame java, Frame own) {}

  private final OwnCode ownCode;
  private final Map<Key, Long> sums = new HashMap<>();
  private final Map<Frame, String> reasons = new HashMap<>();
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
    long[] self = new long[tree.size()];
    for (int node = tree.size() - 1; node >= 0; node--) {
      self[node] += tree.amount(measure, node);
      if (node > 0) {
        self[tree.parent(node)] -= tree.amount(measure, node);
      }
    }
    for (int node = 0; node < tree.size(); node++) {
      if (self[node] > 0) {
        Key key = key(tree, node);
        Key known = measure == Measure.LOCK ? new Key("a lock", key.java(), key.own()) : key;
        sums.merge(known, self[node], Long::sum);
      }
    }
  }

  private Key key(FlameTree tree, int leaf) {
    String reason = UNKNOWN;
    Frame java = null;
    Frame own = null;
    for (int node = leaf; node > 0; node = tree.parent(node)) {
      Frame frame = tree.frame(node);
      reason = reason.equals(UNKNOWN) ? reasons.computeIfAbsent(frame, Waits::reason) : reason;
      java = java == null && ownCode.isJava(frame) ? frame : java;
      own = own == null && ownCode.isOwn(frame) ? frame : own;
    }
    return new Key(reason, java, own);
  }

  private static String reason(Frame frame) {
    String name = frame.name().replace('/', '.');
    return REASONS.entrySet().stream()
        .filter(one -> one.getValue().matcher(name).find())
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(UNKNOWN);
  }

  /** Writes as many as there is room for before the end. */
  void write(Answer answer, Answer end) {
    Map<String, Long> byReason = new LinkedHashMap<>();
    List<Map.Entry<Key, Long>> sorted = new ArrayList<>(sums.entrySet());
    sorted.sort(
        Comparator.comparingLong((Map.Entry<Key, Long> one) -> -one.getValue())
            .thenComparing(one -> one.getKey().reason())
            .thenComparing(one -> name(one.getKey().java()))
            .thenComparing(one -> name(one.getKey().own())));
    sorted.forEach(one -> byReason.merge(one.getKey().reason(), one.getValue(), Long::sum));
    answer.line("| reason | waiting ms | %% |").line("| --- | --: | --: |");
    byReason.entrySet().stream()
        .sorted(Comparator.comparingLong(one -> -one.getValue()))
        .forEach(one -> answer.line("%s", row(one.getValue(), one.getKey())));
    answer
        .line("")
        .line("| own code | innermost Java method | reason | waiting ms | %% |")
        .line("| --- | --- | --- | --: | --: |");
    List<String> rows = new ArrayList<>();
    for (Map.Entry<Key, Long> one : sorted) {
      Key key = one.getKey();
      rows.add(row(one.getValue(), name(key.own()), name(key.java()), key.reason()));
    }
    Answer after = new Answer().line("%s", row(whole, "all", "", "")).add(end);
    int shown = answer.rows(rows, after);
    if (shown < rows.size()) {
      long rest = sorted.subList(shown, rows.size()).stream().mapToLong(Map.Entry::getValue).sum();
      answer.line("%s", row(rest, "(" + (rows.size() - shown) + " others)", "", ""));
    }
    answer.add(after);
  }

  private String row(long nanos, Object... titles) {
    List<Object> cells = new ArrayList<>(List.of(titles));
    cells.add(Answer.millions(nanos));
    cells.add(Answer.percent(nanos, whole));
    return Answer.row(cells.toArray());
  }

  private static String name(Frame frame) {
    return frame == null ? "–" : Answer.name(frame.name());
  }
}
