/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.elastic;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Decides whether a server accepts requests, and records all of them. Thread-safe. */
final class Recorder {
  private final List<RecordedRequest> taken = new CopyOnWriteArrayList<>();
  private final List<RecordedRequest> refused = new CopyOnWriteArrayList<>();
  private volatile boolean refuses;

  /** Sets whether the server refuses all requests from now on, or accepts all. */
  void refuse(boolean all) {
    refuses = all;
  }

  /** Records the request, and returns whether the server accepts it. */
  boolean takes(RecordedRequest request) {
    boolean refused = refuses;
    (refused ? this.refused : taken).add(request);
    return !refused;
  }

  Exports taken() {
    return new Exports(List.copyOf(taken));
  }

  Exports refused() {
    return new Exports(List.copyOf(refused));
  }
}
