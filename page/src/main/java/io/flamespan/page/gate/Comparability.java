/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import static java.util.stream.Collectors.joining;

import io.flamespan.page.gate.Rules.Difference;
import io.flamespan.page.results.Measure;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** Whether two sides differ in more than the code. */
final class Comparability {
  /** Endpoints with a smaller share of the requests and costs of their side may be missing. */
  private static final double SMALL = 0.01;

  private static final double MOST_LOAD = 1.5; // times the other side's
  private static final double MOST_LOAD_OF_RUNS = 3; // on a busy machine, they differ
  private static final double MOST_PERIOD = 1.2;
  private static final double MOST_LENGTH = 1.5;
  private static final double MOST_LOST = 1.2;
  private static final double MOST_LOST_SHARE = 0.2; // of what reaches requests
  private static final double MOST_ERRORS = 1.2;
  private static final double MOST_ERRORS_SHARE = 0.05; // of an endpoint's requests
  private static final double CERTAIN = 3; // standard errors
  private static final int NAMED = 3;
  private static final int LONGEST_NAME = 100;
  private static final double LONG_SECONDS = 3_600; // in which a warm-up weighs little

  private final Rules rules;
  private final Sides all;
  private final Sides sides;
  private final List<String> problems = new ArrayList<>();

  private Comparability(Rules rules, Sides all, Sides sides) {
    this.rules = rules;
    this.all = all;
    this.sides = sides;
  }

  /**
   * Why they cannot be compared.
   *
   * @param all with what is left out
   */
  static List<String> problems(Rules rules, Sides all, Sides sides) {
    Comparability check = new Comparability(rules, all, sides);
    check.side("the baseline", sides.a());
    check.side("the other side", sides.b());
    if (check.problems.isEmpty()) {
      check.names("the baseline", sides.a());
      check.names("the other side", sides.b());
      check.known("the baseline", sides.a());
      check.known("the other side", sides.b());
      check.endpoints();
      check.load();
      check.ratio(
          Difference.PERIOD, MOST_PERIOD, "ms of CPU time a sample", all, Comparability::period);
      if (!rules.warmUp().isNone() && all.seconds() < LONG_SECONDS) {
        check.ratio(Difference.LENGTH, MOST_LENGTH, "seconds", all, Run::seconds);
      }
      check.jvms();
      check.samples();
      check.errors();
    }
    return check.problems;
  }

  private static double period(Run run) {
    return run.sample(Measure.CPU) / 1e6;
  }

  private void side(String name, List<Run> runs) {
    for (Run run : runs) {
      if (run.requests() == 0) {
        problems.add(name + " has no request after the warm-up in " + cut(run.name()));
      }
    }
    for (Cost cost : rules.costs()) {
      Measure measure = cost.measure();
      List<Run> without =
          runs.stream()
              .filter(run -> measure != null && run.received().count(measure) == 0)
              .toList();
      String no = name + " has no samples of " + cost.title();
      if (cost != Cost.LOCK) {
        without.forEach(run -> problems.add(no + " in " + cut(run.name())));
      } else if (without.size() == runs.size()) { // perhaps no thread waited for one
        add(Difference.SAMPLES, no);
      }
    }
  }

  /** A limit of an endpoint that does not exist would pass for ever. */
  private void names(String side, List<Run> runs) {
    for (String name : rules.limits().keySet()) {
      if (runs.stream()
          .flatMap(run -> run.endpoints().stream())
          .noneMatch(one -> one.name().equals(name))) {
        problems.add("no endpoint of " + side + " is named " + cut(name));
      }
    }
  }

  /** Requests that end on another thread lack their exact CPU time, and count nowhere. */
  private void known(String side, List<Run> runs) {
    Map<Sides.Key, List<EndpointCosts>> endpoints = Sides.endpoints(runs);
    for (Cost cost : rules.costs()) {
      Set<Sides.Key> lacking = new LinkedHashSet<>();
      endpoints.forEach(
          (key, some) -> {
            if (2 * requests(some, cost) < sum(some, EndpointCosts::requests)) {
              lacking.add(key);
            }
          });
      for (Sides.Key key : judged(lacking, endpoints)) {
        double requests = sum(endpoints.getOrDefault(key, List.of()), EndpointCosts::requests);
        problems.add(
            String.format(
                Locale.ROOT,
                "%s lacks thread.cpu.time in %,.0f of %,.0f requests of %s",
                side,
                requests - requests(endpoints.getOrDefault(key, List.of()), cost),
                requests,
                cut(key.name())));
      }
    }
  }

  /** Of which the cost is known. */
  private static double requests(List<EndpointCosts> some, Cost cost) {
    return sum(some, one -> one.known(cost).requests());
  }

  /** Those of them with a limit, of which only named ones count if they are small together. */
  private List<Sides.Key> judged(
      Set<Sides.Key> some, Map<Sides.Key, List<EndpointCosts>> endpoints) {
    List<Sides.Key> limited =
        some.stream().filter(key -> rules.limitOf(key.name()).isPresent()).toList();
    List<EndpointCosts> together =
        limited.stream().flatMap(key -> endpoints.getOrDefault(key, List.of()).stream()).toList();
    return areSmall(together, endpoints)
        ? limited.stream().filter(key -> rules.limits().containsKey(key.name())).toList()
        : limited;
  }

  private boolean areSmall(
      List<EndpointCosts> some, Map<Sides.Key, List<EndpointCosts>> endpoints) {
    List<EndpointCosts> all = endpoints.values().stream().flatMap(List::stream).toList();
    return sizes().stream().allMatch(size -> share(some, all, size) < SMALL);
  }

  private static double share(
      List<EndpointCosts> some, List<EndpointCosts> all, ToDoubleFunction<EndpointCosts> value) {
    double whole = sum(all, value);
    return whole == 0 ? 0 : sum(some, value) / whole;
  }

  private List<ToDoubleFunction<EndpointCosts>> sizes() {
    Set<Cost> costs = EnumSet.copyOf(rules.costs());
    if (costs.contains(Cost.THREAD)) {
      costs.add(Cost.CPU); // of requests whose spans lack it
    }
    List<ToDoubleFunction<EndpointCosts>> found = new ArrayList<>();
    found.add(EndpointCosts::requests);
    costs.forEach(cost -> found.add(one -> one.amount(cost)));
    return found;
  }

  private void endpoints() {
    if (!rules.allowed().contains(Difference.ENDPOINTS)) {
      only("the baseline", sides.a(), sides.b());
      only("the other side", sides.b(), sides.a());
    }
  }

  private void only(String name, List<Run> of, List<Run> other) {
    Map<Sides.Key, List<EndpointCosts>> known = Sides.endpoints(other);
    Map<Sides.Key, List<EndpointCosts>> endpoints = Sides.endpoints(of);
    Set<Sides.Key> missing = new LinkedHashSet<>(endpoints.keySet());
    missing.removeAll(known.keySet());
    Set<String> names = new TreeSet<>();
    judged(missing, endpoints).forEach(key -> names.add(cut(key.name())));
    if (!names.isEmpty()) {
      add(Difference.ENDPOINTS, "only in " + name + ": " + some(names));
    }
  }

  private void load() {
    double a = requestsPerSecond(sides.a());
    double b = requestsPerSecond(sides.b());
    String unit = "requests a second";
    if (isKnown(a) && isKnown(b) && Math.max(a, b) > MOST_LOAD * Math.min(a, b)) {
      add(Difference.LOAD, String.format(Locale.ROOT, "%.4g %s, then %.4g", a, unit, b));
    } else {
      ratio(Difference.LOAD, MOST_LOAD_OF_RUNS, unit, sides, Run::requestsPerSecond);
    }
  }

  private static double requestsPerSecond(List<Run> runs) {
    return runs.stream().mapToDouble(Run::requestsPerSecond).average().orElse(0);
  }

  /** Compares all runs, as one that differs from the others of its side weighs as much. */
  private void ratio(
      Difference kind, double most, String unit, Sides of, ToDoubleFunction<Run> value) {
    List<Run> sorted =
        of.runs().stream()
            .filter(run -> kind == Difference.LENGTH || isKnown(value.applyAsDouble(run)))
            .sorted(Comparator.comparingDouble(value))
            .toList();
    if (sorted.isEmpty()) {
      return;
    }
    Run least = sorted.get(0);
    Run largest = sorted.get(sorted.size() - 1);
    if (value.applyAsDouble(largest) > most * value.applyAsDouble(least)) {
      add(
          kind,
          String.format(
              Locale.ROOT,
              "%.4g %s in %s, and %.4g in %s",
              value.applyAsDouble(least),
              unit,
              cut(least.name()),
              value.applyAsDouble(largest),
              cut(largest.name())));
    }
  }

  private static boolean isKnown(double ratio) {
    return ratio > 0 && Double.isFinite(ratio);
  }

  private void jvms() {
    Set<String> a = jvms(sides.a());
    Set<String> b = jvms(sides.b());
    if (!a.isEmpty() && !b.isEmpty() && !a.equals(b)) {
      add(Difference.JVM, some(a) + ", then " + some(b));
    }
  }

  private static Set<String> jvms(List<Run> runs) {
    Set<String> all = new TreeSet<>();
    runs.forEach(run -> run.jvms().forEach(jvm -> all.add(cut(jvm))));
    return all;
  }

  /** Whether samples were lost on one side, so that its requests seem to cost less. */
  private void samples() {
    Set<Cost> costs = EnumSet.noneOf(Cost.class);
    for (Cost cost : rules.costs()) {
      if (cost.measure() != null) { // threads that wait for work have most waits
        costs.add(cost == Cost.ALLOC ? cost : Cost.CPU);
      }
    }
    for (Cost cost : costs) {
      Reached a = Reached.of(all.a(), cost);
      Reached b = Reached.of(all.b(), cost);
      boolean known = cost == Cost.CPU && a.isExactKnown() && b.isExactKnown();
      boolean differ = a.hasMoreOfExact(b) || b.hasMoreOfExact(a);
      // Requests have samples of other threads, too, so only a lack tells.
      if (known && differ && Math.min(a.ofExact(), b.ofExact()) < 1 / MOST_LOST) {
        add(
            Difference.SAMPLES,
            String.format(
                Locale.ROOT,
                "the samples of requests have %.0f %% of their thread.cpu.time, then %.0f %%",
                100 * a.ofExact(),
                100 * b.ofExact()));
      } else if ((!known || differ) && (a.losesMoreThan(b) || b.losesMoreThan(a))) {
        add(
            Difference.SAMPLES,
            String.format(
                Locale.ROOT,
                "%.0f %% of the %s is in no request, then %.0f %%",
                100 * a.shareLost(),
                cost.title(),
                100 * b.shareLost()));
      }
    }
  }

  /** What the samples of a side are of, in nanoseconds or bytes. */
  private record Reached(
      int runs,
      double seconds,
      double requests,
      double reached,
      double lost,
      double sample,
      double sampled,
      double exact,
      double exactRequests) {
    static Reached of(List<Run> runs, Cost cost) {
      Measure measure = Objects.requireNonNull(cost.measure());
      List<EndpointCosts> endpoints =
          runs.stream().flatMap(run -> run.endpoints().stream()).toList();
      List<EndpointCosts> exact = endpoints.stream().map(one -> one.known(Cost.THREAD)).toList();
      double received = runs.stream().mapToDouble(run -> run.received().amount(measure)).sum();
      double reached = sum(endpoints, one -> one.amount(cost));
      return new Reached(
          runs.size(),
          runs.stream().mapToDouble(Run::secondsOfAll).sum(),
          sum(endpoints, EndpointCosts::requests),
          reached,
          Math.max(0, received - reached),
          runs.stream().mapToDouble(run -> run.sample(measure)).average().orElse(0),
          sum(exact, one -> one.amount(cost)),
          sum(exact, one -> one.amount(Cost.THREAD)),
          sum(exact, EndpointCosts::requests));
    }

    boolean isExactKnown() {
      return 2 * exactRequests > requests && exact > 0;
    }

    double ofExact() {
      return sampled / exact;
    }

    boolean hasMoreOfExact(Reached other) {
      return isMore(ofExact(), sampled / sample, other.ofExact(), other.sampled / other.sample);
    }

    double shareLost() {
      return lost / (reached + lost);
    }

    /**
     * What belongs to no request for another reason, such as compilation, comes with runs, with
     * time, or with requests.
     */
    boolean losesMoreThan(Reached other) {
      double samples = lost / sample;
      double others = other.lost / other.sample;
      double least = Math.min(reached / requests, other.reached / other.requests);
      return lost / requests - other.lost / other.requests > MOST_LOST_SHARE * least
          && isMore(lost / requests, samples, other.lost / other.requests, others)
          && isMore(lost / seconds, samples, other.lost / other.seconds, others)
          && isMore(lost / runs, samples, other.lost / other.runs, others);
    }

    private static boolean isMore(double some, double samples, double other, double ofOther) {
      double error = Math.sqrt(1 / (1 + samples) + 1 / (1 + ofOther));
      return Math.log(some / other) > Math.log(MOST_LOST) + CERTAIN * error;
    }
  }

  private static double sum(List<EndpointCosts> all, ToDoubleFunction<EndpointCosts> value) {
    return all.stream().mapToDouble(value).sum();
  }

  /** Requests that fail do less. */
  private void errors() {
    Map<Sides.Key, List<EndpointCosts>> a = Sides.endpoints(sides.a());
    Map<Sides.Key, List<EndpointCosts>> b = Sides.endpoints(sides.b());
    Set<Sides.Key> failing = new LinkedHashSet<>(a.keySet());
    failing.removeIf(
        key -> !haveOtherErrors(a.getOrDefault(key, List.of()), b.getOrDefault(key, List.of())));
    Set<Sides.Key> judged = new LinkedHashSet<>(judged(failing, a));
    judged.addAll(judged(failing, b));
    List<String> found = new ArrayList<>();
    for (Sides.Key key : judged) {
      List<EndpointCosts> ofA = a.getOrDefault(key, List.of());
      List<EndpointCosts> ofB = b.getOrDefault(key, List.of());
      found.add(
          String.format(
              Locale.ROOT,
              "%s fails in %,.0f of %,.0f requests, then %,.0f of %,.0f",
              cut(key.name()),
              sum(ofA, EndpointCosts::failed),
              sum(ofA, EndpointCosts::requests),
              sum(ofB, EndpointCosts::failed),
              sum(ofB, EndpointCosts::requests)));
    }
    if (!found.isEmpty()) {
      add(Difference.ERRORS, some(found));
    }
  }

  private static boolean haveOtherErrors(List<EndpointCosts> a, List<EndpointCosts> b) {
    double ofA = sum(a, EndpointCosts::requests);
    double ofB = sum(b, EndpointCosts::requests);
    double shareA = sum(a, EndpointCosts::failed) / ofA;
    double shareB = sum(b, EndpointCosts::failed) / ofB;
    double both = (ofA * shareA + ofB * shareB) / (ofA + ofB);
    double error = Math.sqrt(both * (1 - both) * (1 / ofA + 1 / ofB));
    return Math.abs(shareA - shareB) > Math.max(MOST_ERRORS_SHARE, CERTAIN * error)
        && Math.max(shareA, shareB) > MOST_ERRORS * Math.min(shareA, shareB);
  }

  /** The first ones. */
  private static String some(Collection<String> texts) {
    return texts.stream().limit(NAMED).collect(joining(", "))
        + (texts.size() > NAMED
            ? String.format(Locale.ROOT, ", and %,d more", texts.size() - NAMED)
            : "");
  }

  private static String cut(String name) {
    return name.codePointCount(0, name.length()) <= LONGEST_NAME
        ? name
        : name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME)) + "…";
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
