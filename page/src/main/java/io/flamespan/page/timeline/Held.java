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

  /** The class without its package. */
  public String lockName() {
    return lock.substring(Math.max(lock.lastIndexOf('.'), lock.lastIndexOf('/')) + 1);
  }
}
