/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which kinds of samples or exact times there are, and for how long the shortest of samples stands.
 *
 * @param periodNanos 0 if it is unknown
 */
public record Recorded(
    boolean cpu,
    boolean waits,
    boolean ready,
    boolean stops,
    boolean throttling,
    long periodNanos) {

  /** Whether nothing of a part means that there was none. */
  public boolean has(Part part) {
    return switch (part) {
      case STOPPED -> stops;
      case CPU -> cpu;
      case READY -> ready;
      case THROTTLED -> throttling;
      case NOT_KNOWN -> true;
      default -> waits;
    };
  }

  /** What to switch on so that less is not known. */
  public Optional<String> missing() {
    List<String> kinds = new ArrayList<>();
    if (!cpu) {
      kinds.add("time on CPU");
    }
    if (!waits) {
      kinds.add("waits");
    }
    if (!ready) {
      kinds.add("threads that are ready, but have no CPU");
    }
    if (!stops) {
      kinds.add("stops of the JVM");
    }
    if (kinds.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "Not recorded, and therefore not known: "
            + String.join("; ", kinds)
            + ". With the embedded profiler,"
            + " `flamespan.embedded.profiler.events=cpu,wall,stops` records them.");
  }
}
