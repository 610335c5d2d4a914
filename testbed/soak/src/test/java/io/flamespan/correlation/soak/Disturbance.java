/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

/**
 * Something that happens to a process.
 *
 * @param weight how often it is chosen, relative to others
 * @param maxMillis how long it lasts at most; 0 if it is a single event
 */
record Disturbance(String name, int weight, int maxMillis, Step begin, Step end) {
  /** A step that may fail. */
  interface Step {
    void run() throws Exception;
  }

  static Disturbance instant(String name, int weight, Step step) {
    return new Disturbance(name, weight, 0, step, () -> {});
  }
}
