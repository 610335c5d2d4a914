/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.app;

/** The current behaviour of the application's processor and exporter. */
public final class Downstream {
  /** The treatment of a span downstream of the plug-in, after it was counted. */
  public enum Behaviour {
    OK,
    /** The exporter is slow. */
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

  // Ends a behaviour that nobody ends; no test depends on that limit.
  private static final long LONGEST_MILLIS = 20_000;

  private volatile Behaviour behaviour = Behaviour.OK;

  public Behaviour behaviour() {
    return behaviour;
  }

  void set(Behaviour next) {
    behaviour = next;
  }

  /** Waits until the behaviour ends. */
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
