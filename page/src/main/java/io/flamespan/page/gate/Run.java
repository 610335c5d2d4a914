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
 * @param processes the seconds of each, from its first request to its last
 * @param jvms the versions of the JVMs, empty if unknown
 */
public record Run(
    String name,
    List<EndpointCosts> endpoints,
    Tally received,
    long beginNanos,
    List<Double> processes,
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
        begins.entrySet().stream()
            .map(begin -> (ends.getOrDefault(begin.getKey(), 0L) - begin.getValue()) / 1e9)
            .toList(),
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
    boolean[] failed = new boolean[requests.size()];
    for (int request = 0; request < failed.length; request++) {
      failed[request] = requests.get(request).span().failed();
    }
    double[][] amounts =
        Arrays.stream(Cost.values())
            .map(cost -> requests.stream().mapToDouble(cost::of).toArray())
            .toArray(double[][]::new);
    return new EndpointCosts(
        endpoint.name(),
        endpoint.service(),
        ages,
        failed,
        amounts,
        (request, measure) -> results.ownMethods(requests.get(request), measure, own));
  }

  long requests() {
    return endpoints.stream().mapToLong(EndpointCosts::requests).sum();
  }

  /** Of the process that had requests for the longest time. */
  double seconds() {
    return processes.stream().mapToDouble(one -> one).max().orElse(0);
  }

  double secondsOfAll() {
    return processes.stream().mapToDouble(one -> one).sum();
  }

  /** Of a process. */
  double requestsPerSecond() {
    return requests() / secondsOfAll();
  }

  /** The mean amount of a sample; 0 without samples. */
  double sample(Measure measure) {
    return (double) received.amount(measure) / Math.max(1, received.count(measure));
  }

  /** What each process did at these ages. */
  Run within(long from, long to) {
    return new Run(
        name,
        endpoints.stream()
            .map(one -> one.within(from, to))
            .filter(one -> one.requests() > 0)
            .toList(),
        received,
        beginNanos,
        processes.stream()
            .map(seconds -> Math.max(0, Math.min(seconds, to / 1e9) - from / 1e9))
            .toList(),
        jvms);
  }

  /** The same one with other costs. */
  public Run with(List<EndpointCosts> costs) {
    return new Run(name, costs, received, beginNanos, processes, jvms);
  }
}
