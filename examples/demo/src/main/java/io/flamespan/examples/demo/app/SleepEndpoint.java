/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo.app;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;

/** Takes a long time without using CPU, like a request that waits for a remote database. */
final class SleepEndpoint implements Endpoint {

  private static final long MILLIS = 100;

  private final Tracer tracer;

  SleepEndpoint(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public String respond() throws InterruptedException {
    Span span = tracer.spanBuilder("wait").startSpan();
    try (Scope ignored = span.makeCurrent()) {
      Thread.sleep(MILLIS);
      return "slept " + MILLIS + " ms";
    } finally {
      span.end();
    }
  }
}
