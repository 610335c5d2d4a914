/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo.app;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Burns CPU on two threads for one request: each sorts one half, under its own child span. */
final class SortEndpoint implements Endpoint {

  private static final int ORDERS = 80_000;

  private final Tracer tracer;
  private final ExecutorService helpers;

  /** Creates the endpoint; the helpers must propagate the caller's context to their threads. */
  SortEndpoint(Tracer tracer, ExecutorService helpers) {
    this.tracer = tracer;
    this.helpers = helpers;
  }

  @Override
  public String respond() throws Exception {
    List<Order> orders = Order.random(ORDERS, 42);
    Future<List<Order>> right =
        helpers.submit(() -> sortOnHelper(orders.subList(ORDERS / 2, ORDERS)));
    List<Order> left = sortHere(orders.subList(0, ORDERS / 2));
    List<Order> sorted = merge(left, right.get());
    return "first: " + sorted.get(0).customer() + ", last: " + sorted.get(ORDERS - 1).customer();
  }

  private List<Order> sortHere(List<Order> orders) {
    Span span = tracer.spanBuilder("sort left half").startSpan();
    try (Scope ignored = span.makeCurrent()) {
      return sorted(orders);
    } finally {
      span.end();
    }
  }

  private List<Order> sortOnHelper(List<Order> orders) {
    long startCpuNanos = ThreadCpu.nanos();
    Span span = tracer.spanBuilder("sort right half").startSpan();
    try (Scope ignored = span.makeCurrent()) {
      return sorted(orders);
    } finally {
      ThreadCpu.record(span, startCpuNanos);
      span.end();
    }
  }

  private static List<Order> sorted(List<Order> orders) {
    List<Order> sorted = new ArrayList<>(orders);
    sorted.sort(Order.BY_CUSTOMER_THEN_AMOUNT);
    return sorted;
  }

  private static List<Order> merge(List<Order> left, List<Order> right) {
    List<Order> merged = new ArrayList<>(left.size() + right.size());
    int next = 0;
    for (Order order : left) {
      while (next < right.size()
          && Order.BY_CUSTOMER_THEN_AMOUNT.compare(right.get(next), order) < 0) {
        merged.add(right.get(next++));
      }
      merged.add(order);
    }
    merged.addAll(right.subList(next, right.size()));
    return merged;
  }
}
