/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which kinds of samples or exact times there are, and for how long the shortest of samples stands.
 *
 * @param periodNanos 0 if it is unknown
 */
public record Recorded(Set<Kind> kinds, long periodNanos) {

  /** A kind of samples, but for time on CPU also of exact times. */
  public enum Kind {
    CPU("time on CPU"),
    EXACT_CPU(""),
    WAITS("waits"),
    LOCKS(""),
    READY("threads that are ready, but have no CPU"),
    STOPS("stops of the JVM"),
    THROTTLING("");

    private final String text; // if it is worth a hint

    Kind(String text) {
      this.text = text;
    }
  }

  /** Whether nothing of a part means that there was none. */
  public boolean has(Part part) {
    return switch (part) {
      case STOPPED -> kinds.contains(Kind.STOPS);
      case CPU -> kinds.contains(Kind.CPU) || kinds.contains(Kind.EXACT_CPU);
      case READY -> kinds.contains(Kind.READY);
      case THROTTLED -> kinds.contains(Kind.THROTTLING);
      case LOCK -> kinds.contains(Kind.WAITS) || kinds.contains(Kind.LOCKS);
      case NOT_KNOWN -> true;
      default -> kinds.contains(Kind.WAITS);
    };
  }

  /** Whether there is more than samples of time on CPU. */
  public boolean hasMoreThanCpu() {
    return kinds.stream().anyMatch(kind -> kind != Kind.CPU);
  }

  /** What to switch on so that less is not known, if it is not on. */
  public Optional<String> missing() {
    String missing =
        Stream.of(Kind.values())
            .filter(kind -> !kind.text.isEmpty() && !kinds.contains(kind))
            .filter(kind -> kind != Kind.CPU || !kinds.contains(Kind.EXACT_CPU))
            .map(kind -> kind.text)
            .collect(Collectors.joining("; "));
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "No samples of: "
                + missing
                + ". If the profiler does not record them, they are not known. With the embedded"
                + " one, `flamespan.embedded.profiler.events=cpu,wall,stops` does.");
  }
}
