/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import java.util.List;

/** A part of a duration. */
public enum Part {
  STOPPED("stopped", "stopped"),
  CPU("onCpu", "on CPU"),
  READY("ready", "ready, without a CPU"),
  THROTTLED("throttled", "throttled by the container"),
  LOCK("lock", "waiting for a lock"),
  SLEEP("sleep", "asleep"),
  IO("io", "waiting for I/O"),
  POOL("pool", "waiting for a connection of a pool"),
  CLASSES("classLoading", "waiting for loading of classes"),
  OTHER_WAIT("otherWait", "waiting for an unknown reason"),
  THREAD("otherThread", "waiting for another thread"),
  NOT_KNOWN("notKnown", "not known");

  /** The parts of which samples of waits tell. */
  static final List<Part> WAITS = List.of(LOCK, SLEEP, IO, POOL, CLASSES, OTHER_WAIT, THREAD);

  private final String key;
  private final String text;

  Part(String key, String text) {
    this.key = key;
    this.text = text;
  }

  /** The name in files. */
  public String key() {
    return key;
  }

  /** What a thread was, in a sentence. */
  public String text() {
    return text;
  }

  /** Whether it is a wait whose reason is known. */
  public boolean isKnownWait() {
    return isWait() && this != OTHER_WAIT;
  }

  public boolean isWait() {
    return WAITS.contains(this);
  }
}
