/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import io.flamespan.testbed.harness.ApplicationLog;
import io.flamespan.testbed.harness.Results;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/** Checks the state of the application and of other services when nothing is exported. */
final class SilentChecks {
  private final Results results;
  private final Run run;

  SilentChecks(Results results, Run run) {
    this.results = results;
    this.run = run;
  }

  void nothingWasSent(WatchedPort port, ApplicationLog log) throws IOException {
    int connections = port.connections();
    results.check(connections == 0, "%d connections to the servers", connections);
    List<String> named = log.with(port.url());
    results.check(named.isEmpty(), "%d log lines name a server", named.size());
    new ExportChecks(results, run).noWarning(log);
  }

  void tracesAreRecorded() {
    each("spans are recorded if the trace is sampled", order -> recorded(order, isSampled(order)));
    traceGoesOn(SilentChecks::isSampled);
  }

  void tracesPassUnrecorded() {
    each("spans are not recorded", order -> recorded(order, false));
    traceGoesOn(order -> order.caller() != Caller.NEW && isSampled(order));
  }

  private void traceGoesOn(Predicate<Order> sampled) {
    each(
        "the stock and the record's consumer are in the caller's trace, or in a new one",
        SilentChecks::isInTrace);
    each(
        "the stock gets the right sampled flag",
        order -> order.stockSampled() == flag(sampled, order));
    each(
        "the record has the right sampled flag",
        order -> order.recordSampled() == flag(sampled, order));
    each(
        "the stock gets the caller's tracestate, or that of a new trace",
        order ->
            order
                .stockHeader("tracestate")
                .equals(
                    order.caller() == Caller.NEW
                        ? "es=s:" + flag(sampled, order)
                        : order.caller().traceState()));
  }

  private static boolean isSampled(Order order) {
    return order.caller().sampled();
  }

  private static int flag(Predicate<Order> sampled, Order order) {
    return sampled.test(order) ? 1 : 0;
  }

  private static boolean recorded(Order order, boolean expected) {
    return order.answered("recording").equals(Boolean.toString(expected));
  }

  private static boolean isInTrace(Order order) {
    String traceId = order.traceId();
    return traceId.matches("[0-9a-f]{32}")
        && !traceId.equals("0".repeat(32))
        && (order.caller() == Caller.NEW || traceId.equals(order.sentTraceId()))
        && order.stockTraceId().equals(traceId)
        && order.answered("record.trace.id").equals(traceId);
  }

  private void each(String text, Predicate<Order> expected) {
    List<Order> orders = run.orders();
    List<Order> wrong = orders.stream().filter(expected.negate()).toList();
    results.check(
        wrong.isEmpty() && !orders.isEmpty(),
        "%d of %d orders: %s",
        orders.size() - wrong.size(),
        orders.size(),
        text);
    wrong.stream()
        .map(SilentChecks::text)
        .distinct()
        .forEach(line -> System.out.println("          | " + line));
  }

  private static String text(Order order) {
    return order.caller() + " answered " + order.answer() + ", asked " + order.stock().headers();
  }
}
