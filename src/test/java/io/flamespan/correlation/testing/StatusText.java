/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import java.util.Map;

/** Reads the status of the plug-in. */
public final class StatusText {
  /** Returns the entries of this process. */
  public static Map<String, String> ofThisProcess() {
    return of(ProcessHandle.current().pid());
  }

  /** Returns the entries of a process: lines of the text, and counters. */
  public static Map<String, String> of(long pid) {
    try (StatusBlockReader reader = new StatusBlockReader(pid)) {
      Map<String, String> entries = reader.tryRead();
      while (entries == null) {
        entries = reader.tryRead();
      }
      return entries;
    }
  }

  /** Waits, for ten seconds at most, until spans of this process wait for their stack traces. */
  public static void awaitActive() throws InterruptedException {
    for (int i = 0; i < 1_000 && !"active".equals(ofThisProcess().get("state")); i++) {
      Thread.sleep(10);
    }
  }

  private StatusText() {}
}
