/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import io.flamespan.page.timeline.Durations;
import io.flamespan.page.timeline.Held;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Parts;
import io.flamespan.page.timeline.Recorded;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Says what a duration consists of, the largest part first. */
public final class Sentence {
  private static final double LEAST = 0.01; // of the duration
  private static final double MOST = 0.5; // of a part
  private static final double ALMOST_ALL = 0.9;
  private static final double LEAST_HELD = 0.1; // of a part
  private static final double OTHERS = 2;

  private static final int LONGEST_NAME = 90;

  private static final Pattern PLAIN = Pattern.compile("…?[\\w$.-]+(<(cl)?init>)?");
  private final Supplier<Recorded> recorded;
  private final OwnCode own;
  private final UnaryOperator<String> escape;
  private final WaitReasons reasons = new WaitReasons();

  /** Methods are named by the innermost own one that has most of a part. */
  private Sentence(Supplier<Recorded> recorded, OwnCode own, UnaryOperator<String> escape) {
    this.recorded = recorded;
    this.own = own;
    this.escape = escape;
  }

  /** The names that are not plain ones of methods are written by this. */
  public static Sentence of(Supplier<Recorded> recorded, UnaryOperator<String> escape) {
    return new Sentence(recorded, OwnCode.withoutLibraries(), escape);
  }

  /** Of one request or span, whose stacks the tree has. */
  public String of(Measured measured, FlameTree tree) {
    Parts parts = Parts.ofOne(measured);
    String duration = Durations.text(measured.durationNanos());
    long period = measured.samples() > 0 ? measured.periodNanos() : recorded.get().periodNanos();
    if (measured.durationNanos() >= period) {
      return duration + list(parts, measured, tree);
    }
    List<String> exact = new ArrayList<>();
    for (Parts.Amount one : parts.sorted()) {
      if (measured.exact(one.part()) > 0) {
        exact.add(text(one, measured, tree));
      }
    }
    return duration
        + ": "
        + (exact.isEmpty() ? "" : String.join("; ", exact) + "; the rest is ")
        + "shorter than the period of "
        + Durations.text(period)
        + " of its samples: see the endpoint";
  }

  /** Of the mean of several requests. */
  public String ofMean(Measured sum, FlameTree tree) {
    Parts parts = Parts.of(sum).mean(Math.max(1, sum.requests()));
    return Durations.text(parts.durationNanos()) + list(parts, sum, tree);
  }

  private String list(Parts parts, Measured measured, FlameTree tree) {
    List<String> texts = new ArrayList<>();
    long rest = 0;
    for (Parts.Amount one : parts.sorted()) {
      if (one.nanos() >= LEAST * parts.durationNanos()) {
        texts.add(text(one, measured, tree));
      } else {
        rest += one.nanos();
      }
    }
    if (rest > 0) {
      texts.add(Durations.text(rest) + " of smaller parts");
    }
    return texts.isEmpty() ? "" : ": " + String.join("; ", texts);
  }

  private String text(Parts.Amount one, Measured measured, FlameTree tree) {
    Part part = one.part();
    StringBuilder text = new StringBuilder(Durations.text(one.nanos()));
    if (one.hasPlusMinus() && one.plusMinus() >= LEAST * one.nanos()) {
      text.append(" ± ").append(Durations.text(one.plusMinus()));
    }
    Holders holders = new Holders(one, measured);
    text.append(' ').append(part == Part.LOCK ? holders.waiting() : part.text());
    String name = name(part, measured, tree);
    if (!name.isEmpty()) {
      text.append(part == Part.CPU ? ", most of it in " + name : " (" + name + ")");
    }
    return text.append(holders.by()).toString();
  }

  /** Who held the locks of a part. */
  private final class Holders {
    private final Map<String, Long> locks = new TreeMap<>();
    private final Map<String, Long> by = new TreeMap<>();
    private final Set<String> last = new HashSet<>(); // those of them who may not be the only ones
    private final Parts.Amount part;
    private final double whole; // in the unit of the sums above

    Holders(Parts.Amount part, Measured measured) {
      this.part = part;
      long sum = 0;
      for (Map.Entry<Held, Long> one : measured.held().entrySet()) {
        if (one.getKey().part() == part.part()) {
          locks.merge(one.getKey().lockName(), one.getValue(), Long::sum);
          by.merge(one.getKey().by(), one.getValue(), Long::sum);
          if (one.getKey().isLast()) {
            last.add(one.getKey().by());
          }
          sum += one.getValue();
        }
      }
      double waited = (double) part.nanos() * Math.max(1, measured.requests());
      whole = Math.max(sum, waited);
      if (sum > OTHERS * waited) { // stacks say that most of these waits are another part
        locks.clear();
        by.clear();
      }
      locks.remove("");
      by.remove("");
    }

    private static Map.Entry<String, Long> largest(Map<String, Long> amounts) {
      return amounts.entrySet().stream()
          .max(Map.Entry.comparingByValue())
          .orElse(Map.entry("", 0L));
    }

    /** Names the lock that has most of the part. */
    String waiting() {
      Map.Entry<String, Long> lock = largest(locks);
      return lock.getValue() > MOST * whole
          ? "waiting for " + code(cut(lock.getKey()))
          : Part.LOCK.text();
    }

    /** Names the holder that has the largest share of the part. */
    String by() {
      Map.Entry<String, Long> holder = largest(by);
      double share = holder.getValue() / whole;
      if (by.isEmpty() || share <= LEAST_HELD) {
        return "";
      }
      String held = last.contains(holder.getKey()) ? "last held by " : "held by ";
      String name = held + escaped(cut(holder.getKey()));
      return share > MOST
          ? (share > ALMOST_ALL ? ", " : ", mostly ") + name
          : ", of which " + Durations.text(Math.round(part.nanos() * share)) + " " + name;
    }
  }

  private String name(Part part, Measured measured, FlameTree tree) {
    if (part == Part.STOPPED && !measured.cause().isEmpty()) {
      return escaped(cut(measured.cause()));
    }
    if (part == Part.CPU) {
      return most(tree, Measure.CPU, part);
    }
    if (!part.isWait()) {
      return "";
    }
    String name = most(tree, Measure.WAIT, part);
    return name.isEmpty() ? most(tree, Measure.LOCK, part) : name;
  }

  /** The innermost method that has most of the part, an own one if there is any. */
  private String most(FlameTree tree, Measure measure, Part part) {
    Part[] parts = measure == Measure.CPU ? new Part[0] : reasons.ofNodes(tree);
    long[] amounts = new long[tree.size()];
    for (int node = 0; node < amounts.length; node++) {
      amounts[node] = tree.amount(measure, node);
    }
    for (int node = amounts.length - 1; node > 0; node--) {
      amounts[tree.parent(node)] -= tree.amount(measure, node); // what nodes have by themselves
    }
    for (int node = 0; node < amounts.length && measure != Measure.CPU; node++) {
      boolean lock = measure == Measure.LOCK && parts[node] == Part.OTHER_WAIT;
      amounts[node] = (lock ? Part.LOCK : parts[node]) == part ? amounts[node] : 0;
    }
    for (int node = amounts.length - 1; node > 0; node--) {
      amounts[tree.parent(node)] += amounts[node];
    }
    String java = "";
    String ofOwn = "";
    int at = 0;
    for (int node = 1; node < amounts.length && amounts[0] > 0; node++) {
      if (tree.parent(node) == at && amounts[node] > MOST * amounts[0]) {
        at = node;
        Frame frame = tree.frame(node);
        java = isNamed(frame) ? frame.name() : java;
        ofOwn = isOwn(frame) ? frame.name() : ofOwn;
      }
    }
    return method(ofOwn.isEmpty() ? java : ofOwn, escape);
  }

  /** A method by its class and name, as code if that is plain. */
  public static String method(String name, UnaryOperator<String> escape) {
    return code(cut(shortened(name)), escape);
  }

  /** Another name, which is cut if it is long. */
  public static String plain(String name, UnaryOperator<String> escape) {
    return escaped(cut(name), escape);
  }

  private String code(String method) {
    return code(method, escape);
  }

  private static String code(String method, UnaryOperator<String> escape) {
    return PLAIN.matcher(method).matches() ? "`" + method + "`" : escaped(method, escape);
  }

  /** Whether it is a method of Java or a class, which are named if there is no own method. */
  public boolean isNamed(Frame frame) {
    return own.isJava(frame) || frame.isClass();
  }

  public boolean isOwn(Frame frame) {
    return own.isOwn(frame);
  }

  /** The last characters of a long name. */
  private static String cut(String name) {
    return name.codePointCount(0, name.length()) <= LONGEST_NAME
        ? name
        : "…" + name.substring(name.offsetByCodePoints(name.length(), 1 - LONGEST_NAME));
  }

  /** Without the mark of code, which is told from text by it. */
  private String escaped(String name) {
    return escaped(name, escape);
  }

  private static String escaped(String name, UnaryOperator<String> escape) {
    return escape.apply(name.replace('`', '\''));
  }

  /** The class without its packages and the method, without types. */
  private static String shortened(String name) {
    String method = name.replaceFirst("\\(.*", "").replace('/', '.');
    method = method.substring(method.lastIndexOf(' ') + 1);
    int dot = method.lastIndexOf('.', method.lastIndexOf('.') - 1);
    return method.substring(dot + 1);
  }
}
