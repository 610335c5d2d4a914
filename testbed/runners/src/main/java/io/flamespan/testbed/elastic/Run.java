/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import io.flamespan.testbed.harness.ApplicationLog;
import io.flamespan.testbed.harness.Cleanup;
import io.flamespan.testbed.harness.TemporaryDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** The application, the stock that it sends requests to, and the orders so far. */
final class Run {
  private static final String LOCAL = "127.0.0.1";

  private static final int SPANS_OF_ORDER = 4; // server, client, producer, consumer

  private final Recorder stock = new Recorder();
  private final List<Order> orders = new ArrayList<>();
  private final Application application;

  /** Starts the stock and the application. The clean-up closes them. */
  Run(Cleanup cleanup, String classPath, Settings settings, boolean asProperties)
      throws IOException {
    TemporaryDirectory directory = cleanup.open(TemporaryDirectory::new);
    Server stockServer = cleanup.open(() -> new HttpRecorder(LOCAL, stock));
    application =
        cleanup.open(
            () ->
                new Application(
                    classPath, settings, asProperties, stockServer.url() + "/stock", directory));
  }

  /** Sends an order from each caller. */
  Run orderOfEach() throws IOException, InterruptedException {
    for (Caller caller : Caller.values()) {
      String traceId = String.format("%032x", orders.size() + 1);
      Properties answer = application.order(caller.headers(traceId));
      List<RecordedRequest> asked = stock.taken().requests();
      orders.add(new Order(caller, traceId, answer, asked.get(asked.size() - 1)));
    }
    return this;
  }

  List<Order> orders() {
    return orders;
  }

  /** Returns the number of spans that the orders so far must produce. */
  int expectedSpans() {
    return SPANS_OF_ORDER * (int) orders.stream().filter(order -> order.caller().sampled()).count();
  }

  /** Returns the output of the application so far. */
  ApplicationLog log() throws IOException {
    return application.log();
  }

  ApplicationLog stop() throws IOException, InterruptedException {
    return application.stop();
  }
}
