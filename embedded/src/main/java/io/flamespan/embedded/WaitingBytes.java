/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import java.util.concurrent.atomic.AtomicLong;

/** The bytes of the messages that wait for something slow. Thread-safe. */
public final class WaitingBytes {
  private final AtomicLong bytes = new AtomicLong();
  private final RateLimitedLogger drops;
  private final long max;

  public WaitingBytes(long max, Class<?> source) {
    this.max = max;
    this.drops = new RateLimitedLogger(source);
  }

  /**
   * Adds a message, unless that is one too many: then a line says so.
   *
   * @param what the messages, for the log
   * @param receiver what is slow, for the log
   */
  public boolean add(byte[] message, String what, Object receiver) {
    if (bytes.addAndGet(message.length) <= max) {
      return true;
    }
    remove(message);
    drops.warn(what + " were dropped, because " + receiver + " takes them too slowly");
    return false;
  }

  /** Removes a message that was added. */
  public void remove(byte[] message) {
    bytes.addAndGet(-message.length);
  }

  public boolean isEmpty() {
    return bytes.get() == 0;
  }
}
