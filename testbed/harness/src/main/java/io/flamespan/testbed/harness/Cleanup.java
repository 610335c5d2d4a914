/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Closes resources, the last opened first, at the end of a block or when Ctrl-C ends the process.
 */
public final class Cleanup implements AutoCloseable {

  private final Deque<AutoCloseable> resources = new ArrayDeque<>();
  private volatile boolean closed;

  /** Registers a shutdown hook that closes the resources if nothing else has. */
  public Cleanup() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "cleanup"));
  }

  /** Opens a resource under the lock, so that Ctrl-C cannot interrupt before it is registered. */
  public synchronized <T extends AutoCloseable> T open(Opener<T> opener) throws IOException {
    if (closed) {
      throw new IOException("The process is ending");
    }
    T resource = opener.open();
    resources.push(resource);
    return resource;
  }

  /** Returns whether closing has begun. Does not wait until it is complete. */
  public boolean isClosed() {
    return closed;
  }

  @Override
  public synchronized void close() {
    closed = true;
    while (!resources.isEmpty()) {
      AutoCloseable resource = resources.pop();
      try {
        resource.close();
      } catch (Exception e) {
        System.err.println("Could not clean up: " + e);
      }
    }
  }

  /** Opens a resource. */
  public interface Opener<T extends AutoCloseable> {
    /** Returns the resource that must be closed. */
    T open() throws IOException;
  }
}
