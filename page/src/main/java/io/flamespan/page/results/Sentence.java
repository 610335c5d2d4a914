/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import io.flamespan.page.timeline.Durations;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Part;
import io.flamespan.page.timeline.Parts;
import io.flamespan.page.timeline.Recorded;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Says what a duration consists of, the largest part first. */
public final class Sentence {
  private static final double LEAST = 0.01; // of the duration
  private static final double MOST = 0.5; // of a part

  private static final int LONGEST_NAME = 90;

  private static final Pattern PLAIN = Pattern.compile("…?[\\w$.-]+(<(cl)?init>)?");
  private final Recorded recorded;
  private final OwnCode own;
  private final UnaryOperator<String> escape;
  private final WaitReasons reasons = new WaitReasons();

  /** Methods are named by the innermost own one that has most of a part. */
  private Sentence(Recorded recorded, OwnCode own, UnaryOperator<String> escape) {
    this.recorded = recorded;
    this.own = own;
    this.escape = escape;
  }

  /** The names that are not plain ones of methods are written by this. */
  public static Sentence of(Results results, UnaryOperator<String> escape) {
    return new Sentence(results.recorded(), OwnCode.withoutLibraries(), escape);
  }

  /** Of one request or span, whose stacks the tree has. */
  public String of(Measured measured, FlameTree tree) {
    Parts parts = Parts.ofOne(measured);
    String duration = Durations.text(measured.durationNanos());
    long period = measured.samples() > 0 ? measured.periodNanos() : recorded.periodNanos();
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
    text.append(' ').append(part.text());
    String name = name(part, measured, tree);
    if (!name.isEmpty()) {
      text.append(part == Part.CPU ? ", most of it in " + name : " (" + name + ")");
    }
    return text.toString();
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
        java = own.isJava(frame) || frame.isClass() ? frame.name() : java;
        ofOwn = own.isOwn(frame) ? frame.name() : ofOwn;
      }
    }
    String name = ofOwn.isEmpty() ? java : ofOwn;
    return method(name, escape);
  }

  /** A method by its class and name, as code if that is plain. */
  public static String method(String name, UnaryOperator<String> escape) {
    String method = cut(shortened(name));
    return PLAIN.matcher(method).matches()
        ? "`" + method + "`"
        : escape.apply(method.replace('`', '\''));
  }

  /** The last characters of a long name. */
  private static String cut(String name) {
    return name.codePointCount(0, name.length()) <= LONGEST_NAME
        ? name
        : "…" + name.substring(name.offsetByCodePoints(name.length(), 1 - LONGEST_NAME));
  }

  /** Without the mark of code, which is told from text by it. */
  private String escaped(String name) {
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
