/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.gate;

import io.flamespan.page.model.Endpoint;
import io.flamespan.page.model.Join;
import io.flamespan.page.model.JoinedResults;
import io.flamespan.page.model.Request;
import io.flamespan.page.model.Service;
import io.flamespan.page.model.Spans;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.Tally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A run of an application.
 *
 * @param received all samples
 * @param beginNanos of the first request, since 1970
 * @param seconds of the process that had requests for the longest time
 * @param processes how many had requests
 * @param jvms the versions of the JVMs, empty if unknown
 */
public record Run(
    String name,
    List<EndpointCosts> endpoints,
    Tally received,
    long beginNanos,
    double seconds,
    int processes,
    Set<String> jvms) {
  public static Run of(String name, Spans spans, Join join, JoinedResults results) {
    Map<Service, Long> begins = new HashMap<>();
    Map<Service, Long> ends = new HashMap<>();
    for (Endpoint endpoint : join.endpoints()) {
      for (Request request : endpoint.requests()) {
        if (request.span().hasTimes()) {
          Service process = request.span().service();
          begins.merge(process, request.span().startNanos(), Math::min);
          ends.merge(process, request.span().startNanos(), Math::max);
        }
      }
    }
    long longest =
        begins.keySet().stream()
            .mapToLong(process -> ends.getOrDefault(process, 0L) - begins.getOrDefault(process, 0L))
            .max()
            .orElse(0);
    OwnCode own = OwnCode.withoutLibraries();
    List<EndpointCosts> endpoints = new ArrayList<>();
    for (Endpoint endpoint : join.endpoints()) {
      EndpointCosts costs = costs(endpoint, begins, results, own);
      if (costs.requests() > 0) {
        endpoints.add(costs);
      }
    }
    return new Run(
        name,
        endpoints,
        results.received(),
        begins.values().stream().mapToLong(begin -> begin).min().orElse(0),
        longest / 1e9,
        begins.size(),
        spans.runtimes());
  }

  /** Of the requests whose times are known. */
  private static EndpointCosts costs(
      Endpoint endpoint, Map<Service, Long> begins, JoinedResults results, OwnCode own) {
    List<Request> requests =
        endpoint.requests().stream()
            .filter(request -> request.span().hasTimes())
            .sorted(Comparator.comparingLong(request -> request.span().startNanos()))
            .toList();
    long[] ages =
        requests.stream()
            .map(Request::span)
            .mapToLong(span -> span.startNanos() - begins.getOrDefault(span.service(), 0L))
            .toArray();
    double[][] amounts =
        Arrays.stream(Cost.values())
            .map(cost -> requests.stream().mapToDouble(cost::of).toArray())
            .toArray(double[][]::new);
    return new EndpointCosts(
        endpoint.name(),
        endpoint.service(),
        ages,
        amounts,
        (request, measure) -> results.ownMethods(requests.get(request), measure, own));
  }

  long requests() {
    return endpoints.stream().mapToLong(EndpointCosts::requests).sum();
  }

  double requestsPerSecond() {
    return requests() / seconds / Math.max(1, processes);
  }

  /** The mean amount of a sample; 0 without samples. */
  double sample(Measure measure) {
    return (double) received.amount(measure) / Math.max(1, received.count(measure));
  }

  /** Without what passed in the first nanoseconds of each process. */
  Run after(long nanos) {
    return new Run(
        name,
        endpoints.stream().map(one -> one.after(nanos)).filter(one -> one.requests() > 0).toList(),
        received,
        beginNanos,
        Math.max(0, seconds - nanos / 1e9),
        processes,
        jvms);
  }
}
