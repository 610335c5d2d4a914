/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

/**
 * A lock for which there were waits, and who held it.
 *
 * @param part of the waits
 * @param lock its class, or the empty string
 * @param by the name of the endpoint of the request that held it, another name in words, or the
 *     empty string if that is not known
 */
public record Held(Part part, String lock, String by) {

  /**
   * By what is known of the holder.
   *
   * @param hasRequest whether it worked for a request
   * @param endpoint of the request, or the empty string if that was not received
   * @param thread the name of a group of threads, or the empty string
   */
  public static Held of(
      Part part, String lock, boolean hasRequest, String endpoint, String thread) {
    String request = endpoint.isEmpty() ? "a request that was not received" : endpoint;
    return new Held(part, lock, hasRequest ? request : thread.isEmpty() ? "" : "thread " + thread);
  }

  /** The class without its package. */
  public String lockName() {
    return lock.substring(Math.max(lock.lastIndexOf('.'), lock.lastIndexOf('/')) + 1);
  }
}
