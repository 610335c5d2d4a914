/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

/**
 * A lock for which there were waits, and who held it, or for a monitor, last before they ended.
 *
 * @param part of the waits
 * @param lock its class, or the empty string
 * @param by the name of the endpoint of the request that held it, another name in words, or the
 *     empty string if nothing is known
 */
public record Held(Part part, String lock, String by) {
  private static final String UNKNOWN = "a request that is not known";
  private static final String WITH_OWNERS = "java.util.concurrent.locks.";

  /**
   * By what is known of the holder.
   *
   * @param ofRequest whether it may have worked for a request
   * @param endpoint of the request, or the empty string if that is not known
   * @param notSampled the name of the request if it is not sampled, or the empty string
   * @param thread the name of a group of threads, or the empty string
   */
  public static Held of(
      Part part,
      String lock,
      boolean ofRequest,
      String endpoint,
      String notSampled,
      String thread) {
    String request =
        !endpoint.isEmpty()
            ? endpoint
            : notSampled.isEmpty() ? UNKNOWN : "a request that is not sampled: " + notSampled;
    return new Held(part, lock, ofRequest ? request : thread.isEmpty() ? "" : "thread " + thread);
  }

  /** Whether it is known who held it: a request, or a thread without one. */
  public boolean isKnown() {
    return !by.isEmpty() && !by.equals(UNKNOWN);
  }

  /** Whether somebody else may have held it before, in the same wait. */
  public boolean isLast() {
    return !lock.replace('/', '.').startsWith(WITH_OWNERS);
  }

  /** The class without its package. */
  public String lockName() {
    return lock.substring(Math.max(lock.lastIndexOf('.'), lock.lastIndexOf('/')) + 1);
  }
}
