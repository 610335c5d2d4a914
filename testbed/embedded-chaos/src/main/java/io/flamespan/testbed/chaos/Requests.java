/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.chaos;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Requests, each with a local root span that is named after its endpoint, and a span below. */
final class Requests {
  final AtomicLong spans = new AtomicLong();

  private final Tracer tracer;
  private final Ledger ledger;

  Requests(Tracer tracer, Ledger ledger) {
    this.tracer = tracer;
    this.ledger = ledger;
  }

  /** A request that is being served. */
  static final class Request {
    private final int endpoint;

    private Request(int endpoint) {
      this.endpoint = endpoint;
    }

    void run(Runnable work) {
      Endpoints.run(endpoint, work);
    }

    /** Returns a task that works for the current span on any thread. */
    Runnable elsewhere(Runnable work) {
      return Context.current().wrap(() -> run(work));
    }
  }

  void serve(Consumer<Request> work) {
    Request request = new Request(ThreadLocalRandom.current().nextInt(Endpoints.COUNT));
    Span root = tracer.spanBuilder("" + request.endpoint).setNoParent().startSpan();
    ledger.begin(root.getSpanContext(), request.endpoint);
    try (Scope scope = root.makeCurrent()) {
      Span child = tracer.spanBuilder("child").startSpan();
      try (Scope below = child.makeCurrent()) {
        work.accept(request);
      } finally {
        child.end();
      }
      request.run(() -> Disturbances.spin(100_000));
    } finally {
      root.end();
    }
    spans.addAndGet(2);
  }
}
