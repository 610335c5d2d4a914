/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.util.ArrayDeque;
import java.util.Deque;

/** Cleanup steps that must run in any case, even if Soak is interrupted. */
final class SoakCleanup implements AutoCloseable {
  private final Deque<Disturbance.Step> steps = new ArrayDeque<>();
  private final Thread hook = new Thread(this::run, "cleanup");

  SoakCleanup() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Adds a step that runs before the existing ones. */
  synchronized void add(Disturbance.Step step) {
    steps.addFirst(step);
  }

  /** Adds a step that runs after all others. */
  synchronized void addLast(Disturbance.Step step) {
    steps.addLast(step);
  }

  private synchronized void run() {
    while (!steps.isEmpty()) {
      try {
        steps.removeFirst().run();
      } catch (Exception e) {
        System.out.println("cleaning up: " + e);
      }
    }
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    run();
  }
}
