/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.serve;

import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.results.Results;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Where the server's data are from. One thread at a time reads and joins. */
public interface Source extends AutoCloseable {
  /**
   * What was joined.
   *
   * @param notes the problems of the input
   */
  record Joined(Results results, Optional<Comparison> comparison, List<String> notes) {}

  /**
   * A range of time as people write it.
   *
   * @param from such as -1h, or 2026-01-31T12:00:00Z
   * @param to the same; -0s is now
   */
  record Range(String from, String to) {}

  /** Reads what is new. Returns whether anything changed. */
  boolean read() throws IOException;

  /**
   * The same, if a part of what is new can be shown.
   *
   * @param enough tells when to leave the rest for the next call; is asked several times a second
   */
  default boolean readPart(BooleanSupplier enough) throws IOException {
    return read();
  }

  /** Whether the last call has left a rest. Thread-safe. */
  default boolean isPart() {
    return false;
  }

  /**
   * Joins all that was read; empty if there is no span and no sample yet.
   *
   * @throws IOException if nothing can be read of what is there
   */
  Optional<Joined> join() throws IOException;

  /**
   * Is called when the first version or answer of what was joined is made, which may read as well,
   * or when it was empty.
   */
  default void hasRead() {}

  /** A line that says what is missing while there is no span and no sample. Thread-safe. */
  String nothing();

  /** The range that is read, if readers may choose another one. Thread-safe. */
  default Optional<Range> range() {
    return Optional.empty();
  }

  /**
   * The same data in another range, read by nobody yet. Thread-safe.
   *
   * @throws IllegalArgumentException with a line for the reader
   */
  default Source in(Range range) {
    throw new IllegalArgumentException("files have no range to choose");
  }

  /** Any thread may call this. What another one reads meanwhile fails. */
  @Override
  default void close() {}
}
