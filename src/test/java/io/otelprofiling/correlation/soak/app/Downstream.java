/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.soak.app;

/** How the application's processor and exporter behave at the moment. */
public final class Downstream {
  /** What happens to a span behind the plug-in, after it was counted. */
  public enum Behaviour {
    OK,
    /** The exporter takes its time. */
    SLOW,
    /** The exporter fails. */
    REFUSED,
    /** The exporter does not return. */
    BLOCKED,
    /** The processor does not return from a span that has waited. */
    STUCK,
    /** The processor throws for a span that has waited. */
    THROWING
  }

  // If nobody ends it: no test may depend on a process that gives up.
  private static final long LONGEST_MILLIS = 20_000;

  private volatile Behaviour behaviour = Behaviour.OK;

  public Behaviour behaviour() {
    return behaviour;
  }

  void set(Behaviour next) {
    behaviour = next;
  }

  /** Waits for the end of a behaviour. */
  public void awaitEndOf(Behaviour present) {
    long end = System.nanoTime() + LONGEST_MILLIS * 1_000_000;
    while (behaviour == present && System.nanoTime() < end) {
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
