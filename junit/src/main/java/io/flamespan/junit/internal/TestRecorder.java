/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import java.util.Map;

/** Records spans of tests. The one type that both class loaders share. Thread-safe. */
public interface TestRecorder extends AutoCloseable {
  /** Begins a span without a parent, and makes it current on the calling thread. */
  Recorded begin(String name, Map<String, String> attributes);

  /** Returns whether the profiler runs. */
  boolean isProfiling();

  /**
   * Writes what has ended, and waits for that up to {@code millis}. Returns false if something
   * could not be written, or nothing was.
   */
  boolean flush(long millis);

  /** Writes everything and ends, within twenty seconds. */
  @Override
  void close();

  /** A span that has begun. */
  interface Recorded {
    /** Ends its being current. Must be called once, on the thread that has begun it. */
    void leave();

    /**
     * Ends it, on any thread.
     *
     * @param cpuNanos the CPU time of the thread in it alone; negative if it is not known
     */
    void end(Map<String, String> attributes, boolean hasFailed, long cpuNanos);
  }
}
