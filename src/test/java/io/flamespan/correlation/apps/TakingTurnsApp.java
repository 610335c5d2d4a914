/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;

/**
 * An application whose threads switch directly from one trace to another and back, until the
 * process is terminated. They get their name only once they show a trace.
 */
public final class TakingTurnsApp {
  public static void main(String[] arguments) {
    Tracer tracer = SwitchingApp.tracer();
    for (int i = 0; i < 2; i++) {
      new Thread(() -> takeTurns(tracer)).start();
    }
  }

  private static void takeTurns(Tracer tracer) {
    Span one = tracer.spanBuilder("one").startSpan();
    Span other = tracer.spanBuilder("other").startSpan();
    try (Scope scope = one.makeCurrent()) {
      Thread.currentThread().setName("turns");
      while (true) {
        other.makeCurrent().close();
      }
    }
  }

  private TakingTurnsApp() {}
}
