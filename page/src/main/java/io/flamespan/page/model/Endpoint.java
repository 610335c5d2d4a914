/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Spread;
import io.flamespan.page.results.Tally;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/** The requests with one span name in one service. */
public final class Endpoint {
  private final String name;
  private final String service;
  private final List<Request> requests = new ArrayList<>();
  private final Tally tally = new Tally();

  Endpoint(String name, String service) {
    this.name = name;
    this.service = service;
  }

  /** Merges the requests of these endpoints into one. */
  public static Endpoint merged(String name, List<Endpoint> endpoints) {
    Endpoint merged = new Endpoint(name, "");
    endpoints.forEach(endpoint -> endpoint.requests.forEach(merged::add));
    merged.sort();
    return merged;
  }

  void add(Request request) {
    requests.add(request);
    tally.add(request.tally());
  }

  void sort() {
    requests.sort(
        Comparator.comparingLong((Request request) -> -request.span().durationNanos())
            .thenComparing(request -> request.span().key().traceId()));
  }

  public String name() {
    return name;
  }

  public String service() {
    return service;
  }

  /** The slowest first. */
  public List<Request> requests() {
    return Collections.unmodifiableList(requests);
  }

  /** See {@link io.flamespan.page.results.EndpointResult#detailed}. In no order. */
  Set<Request> detailed(int most) {
    // By identity: requests may be alike, and to hash one takes as long as it has samples.
    Set<Request> found = Collections.newSetFromMap(new IdentityHashMap<>());
    found.addAll(requests.subList(0, Math.min(most, requests.size())));
    for (Measure measure : Measure.values()) {
      found.addAll(largest(most, request -> request.tally().amount(measure)));
    }
    return found;
  }

  /** Those with the largest positive values. Of equal ones, the slower one. */
  private List<Request> largest(int most, ToLongFunction<Request> value) {
    return requests.stream()
        .filter(request -> value.applyAsLong(request) > 0)
        .sorted(Comparator.comparingLong(value).reversed())
        .limit(most)
        .toList();
  }

  public Tally tally() {
    return tally;
  }

  public double meanNanos() {
    return requests.stream()
        .filter(request -> request.span().hasTimes())
        .mapToLong(request -> request.span().durationNanos())
        .average()
        .orElse(0);
  }

  Spread spread(Measure measure) {
    Spread spread = new Spread();
    requests.forEach(request -> spread.add(request.tally().amount(measure)));
    return spread;
  }

  /** By nearest rank; 0 if no duration is known. */
  public long p99Nanos() {
    // Those without a duration are the last.
    int known = (int) requests.stream().filter(request -> request.span().hasTimes()).count();
    int rank = (int) Math.ceil(0.99 * known);
    return requests.get(Math.min(known - rank, requests.size() - 1)).span().durationNanos();
  }
}
