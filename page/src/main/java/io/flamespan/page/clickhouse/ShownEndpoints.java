/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Largest;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Tally;
import io.flamespan.page.timeline.Measured;
import io.flamespan.page.timeline.Recorded;
import io.flamespan.page.timeline.Recorded.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The endpoints shown separately and one for all others, with the queries that they share. */
final class ShownEndpoints {
  // All of these requests are in memory, with their samples by stack.
  private static final long MOST_REQUESTS = 50_000;
  private static final long MOST_SAMPLES = 1_000_000;

  private final Query query;
  private final List<Figures> alone;
  private final boolean all;
  private final List<EndpointResult> endpoints = new ArrayList<>();
  private @Nullable Requests requests;
  private final List<Figures> others = new ArrayList<>();
  private final Map<String, Recorded> recorded = new HashMap<>(); // by service
  private @Nullable Stacks stacks;
  private @Nullable Map<Long, RequestStacks> stacksForPage;

  ShownEndpoints(Query query, List<Figures> all, int most) {
    this.query = query;
    this.all = all.size() <= most;
    alone = Largest.of(all, most, Figures::tally);
    for (Figures figures : alone) {
      endpoints.add(new ClickHouseEndpoint(figures, this));
    }
    if (alone.size() < all.size()) {
      others.addAll(all);
      others.removeAll(Set.copyOf(alone));
      Figures sum = Figures.of("(" + others.size() + " other endpoints)", others);
      endpoints.add(new ClickHouseEndpoint(sum, this));
    }
  }

  /** None if all endpoints are shown, as a list of very many would not fit into a parameter. */
  private String keys() {
    return Query.keys(all ? List.of() : alone.stream().map(Figures::key).toList());
  }

  List<EndpointResult> endpoints() {
    return endpoints;
  }

  Measured measured(long key) {
    if (key != Figures.OTHERS) {
      return query.timeLines().ofEndpoint(key);
    }
    Measured sum = Measured.sum();
    for (Figures one : others) {
      sum.add(query.timeLines().ofEndpoint(one.key()));
    }
    return sum;
  }

  /** In one service, or in any if its name is empty. */
  Recorded recorded(String service) {
    return recorded.computeIfAbsent(service, this::findRecorded);
  }

  private Recorded findRecorded(String service) {
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    for (List<Figures> some : List.of(alone, others)) {
      for (Figures one : some) {
        if (service.isEmpty() || one.service().equals(service)) {
          kinds.addAll(kinds(one.tally()));
          kinds.addAll(query.timeLines().recorded(one.key()));
        }
      }
    }
    return new Recorded(kinds, query.timeLines().periodNanos());
  }

  /** Of samples on CPU, of waits and of locks. */
  static Set<Kind> kinds(Tally tally) {
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    Map.of(Measure.CPU, Kind.CPU, Measure.WAIT, Kind.WAITS, Measure.LOCK, Kind.LOCKS)
        .forEach(
            (measure, kind) -> {
              if (tally.count(measure) > 0) {
                kinds.add(kind);
              }
            });
    return kinds;
  }

  /** Any requests, as all of them include the percentile. */
  Requests requests() {
    return requests == null ? requests(1) : requests;
  }

  /** With any of the others. */
  Requests requests(int most) {
    return requests != null && requests.has(most) ? requests : requests(most, Integer.MAX_VALUE);
  }

  Requests requests(int listed, int step) {
    // Only a page asks for some of the others, and then for the stacks.
    List<Long> complete = step < Integer.MAX_VALUE ? forPage() : List.of();
    return requests(listed, step, complete);
  }

  private Requests requests(int listed, int step, List<Long> complete) {
    if (requests == null || !requests.has(listed, step) || !requests.hasAll(complete)) {
      List<Long> order = new ArrayList<>(alone.stream().map(Figures::key).toList());
      order.add(Figures.OTHERS);
      requests = new Requests(query, keys(), order, listed, step, complete);
    }
    return requests;
  }

  /** Fetched anew by each call, as they are many. */
  RequestStacks requestStacks(long key) {
    query.requireRequests();
    return StacksOfRequests.of(query, key);
  }

  /** Fetched once, of the endpoints with the most time that are not too large together. */
  Optional<RequestStacks> stacksForPage(long key) {
    if (stacksForPage == null) {
      List<Long> keys = forPage();
      Requests of =
          requests != null && requests.hasAll(keys)
              ? requests
              : requests(1, Integer.MAX_VALUE, keys);
      stacksForPage = StacksOfRequests.of(query, keys, of);
    }
    return Optional.ofNullable(stacksForPage.get(key));
  }

  private List<Long> forPage() {
    if (query.isOfSums()) {
      return List.of();
    }
    List<Long> keys = new ArrayList<>();
    long requests = 0;
    long samples = 0;
    List<Figures> sorted = new ArrayList<>(alone);
    sorted.sort(Comparator.comparingDouble(one -> -one.meanNanos() * one.requests()));
    for (Figures one : sorted.subList(0, Math.min(Largest.OF_A_PAGE, sorted.size()))) {
      long ofOne = Arrays.stream(Measure.values()).mapToLong(one.tally()::count).sum();
      if (requests + one.requests() <= MOST_REQUESTS && samples + ofOne <= MOST_SAMPLES) {
        requests += one.requests();
        samples += ofOne;
        keys.add(one.key());
      }
    }
    return keys;
  }

  Stacks stacks() {
    if (stacks == null) {
      stacks = Stacks.of(query, "page-stacks.sql", Map.of("endpoints", keys()), alone.size());
    }
    return stacks;
  }
}
