/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import io.flamespan.page.gate.Rules.Difference;
import io.flamespan.page.results.Measure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** Whether two sides differ in more than the code. */
final class Comparability {
  /** Endpoints with a smaller share of the requests and costs of their side may be missing. */
  private static final double SMALL = 0.01;

  private static final double MOST_LOAD = 1.5; // times the other
  private static final double MOST_PERIOD = 1.2;
  private static final double MOST_LENGTH = 1.5;
  private static final double LONG_SECONDS = 3_600; // in which a warm-up weighs little

  private final Rules rules;
  private final Sides sides;
  private final List<String> problems = new ArrayList<>();

  private Comparability(Rules rules, Sides sides) {
    this.rules = rules;
    this.sides = sides;
  }

  /** Why they cannot be compared. */
  static List<String> problems(Rules rules, Sides sides) {
    Comparability check = new Comparability(rules, sides);
    check.side("the baseline", sides.a());
    check.side("the other side", sides.b());
    if (check.problems.isEmpty()) {
      check.names("the baseline", sides.a());
      check.names("the other side", sides.b());
      check.known("the baseline", sides.a());
      check.known("the other side", sides.b());
      check.endpoints();
      check.ratio(Difference.LOAD, MOST_LOAD, "requests a second", Run::requestsPerSecond);
      check.ratio(Difference.PERIOD, MOST_PERIOD, "ms of CPU time a sample", Comparability::period);
      double shortest = sides.runs().stream().mapToDouble(Run::seconds).min().orElse(0);
      if (rules.warmUp().isDefault() && shortest < LONG_SECONDS) {
        check.ratio(Difference.LENGTH, MOST_LENGTH, "seconds after the warm-up", Run::seconds);
      }
      check.jvms();
    }
    return check.problems;
  }

  private static double period(Run run) {
    return run.sample(Measure.CPU) / 1e6;
  }

  private void side(String name, List<Run> runs) {
    for (Run run : runs) {
      if (run.requests() == 0) {
        problems.add(name + " has no request after the warm-up in " + run.name());
      }
      for (Cost cost : rules.costs()) {
        Measure measure = cost.measure();
        if (measure != null && run.received().count(measure) == 0) {
          problems.add(name + " has no samples of " + cost.title() + " in " + run.name());
        }
      }
    }
  }

  /** A limit of an endpoint that does not exist would pass for ever. */
  private void names(String side, List<Run> runs) {
    for (String name : rules.limits().keySet()) {
      if (runs.stream()
          .flatMap(run -> run.endpoints().stream())
          .noneMatch(one -> one.name().equals(name))) {
        problems.add("no endpoint of " + side + " is named " + name);
      }
    }
  }

  /** Requests that end on another thread lack their exact CPU time, and count nowhere. */
  private void known(String side, List<Run> runs) {
    for (Cost cost : rules.costs()) {
      Sides.endpoints(runs)
          .forEach(
              (key, all) -> {
                int requests = all.stream().mapToInt(EndpointCosts::requests).sum();
                int known = all.stream().mapToInt(one -> one.known(cost).requests()).sum();
                if (rules.limitOf(key.name()).isPresent() && 2 * known < requests) {
                  problems.add(
                      String.format(
                          Locale.ROOT,
                          "%s lacks thread.cpu.time in %,d of %,d requests of %s",
                          side,
                          requests - known,
                          requests,
                          key.name()));
                }
              });
    }
  }

  private void endpoints() {
    if (!rules.allowed().contains(Difference.ENDPOINTS)) {
      only("the baseline", sides.a(), sides.b());
      only("the other side", sides.b(), sides.a());
    }
  }

  private void only(String name, List<Run> of, List<Run> other) {
    Map<Sides.Key, List<EndpointCosts>> known = Sides.endpoints(other);
    Map<Sides.Key, List<EndpointCosts>> all = Sides.endpoints(of);
    List<EndpointCosts> found = new ArrayList<>();
    List<EndpointCosts> any = new ArrayList<>();
    Set<String> names = new TreeSet<>();
    all.forEach(
        (key, runs) -> {
          any.addAll(runs);
          if (!known.containsKey(key) && rules.limitOf(key.name()).isPresent()) {
            found.addAll(runs);
            names.add(key.name());
          }
        });
    boolean small = share(found, any, EndpointCosts::requests) < SMALL;
    for (Cost cost : rules.costs()) {
      small &= share(found, any, one -> one.amount(cost)) < SMALL;
    }
    if (!small) {
      add(Difference.ENDPOINTS, "only in " + name + ": " + String.join(", ", names));
    }
  }

  private static double share(
      List<EndpointCosts> some, List<EndpointCosts> all, ToDoubleFunction<EndpointCosts> value) {
    double whole = all.stream().mapToDouble(value).sum();
    return whole == 0 ? 0 : some.stream().mapToDouble(value).sum() / whole;
  }

  /** Compares the means of both sides. */
  private void ratio(Difference kind, double most, String unit, ToDoubleFunction<Run> value) {
    double a = sides.a().stream().mapToDouble(value).average().orElse(0);
    double b = sides.b().stream().mapToDouble(value).average().orElse(0);
    if (a > 0 && b > 0 && Math.max(a, b) > most * Math.min(a, b)) {
      add(kind, String.format(Locale.ROOT, "%.4g %s, then %.4g", a, unit, b));
    }
  }

  private void jvms() {
    Set<String> a = jvms(sides.a());
    Set<String> b = jvms(sides.b());
    if (!a.isEmpty() && !b.isEmpty() && !a.equals(b)) {
      add(Difference.JVM, String.join(", ", a) + ", then " + String.join(", ", b));
    }
  }

  private static Set<String> jvms(List<Run> runs) {
    Set<String> all = new TreeSet<>();
    runs.forEach(run -> all.addAll(run.jvms()));
    return all;
  }

  private void add(Difference kind, String text) {
    if (!rules.allowed().contains(kind)) {
      problems.add(
          "different "
              + kind.word()
              + ": "
              + text
              + " (--allow "
              + kind.word()
              + " compares them)");
    }
  }
}
