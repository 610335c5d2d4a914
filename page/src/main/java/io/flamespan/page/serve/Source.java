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

/** Where the server's data are from. One thread at a time calls it. */
public interface Source extends AutoCloseable {
  /**
   * What was joined.
   *
   * @param notes the problems of the input
   */
  record Joined(Results results, Optional<Comparison> comparison, List<String> notes) {}

  /** Reads what is new. Returns whether anything changed. */
  boolean read() throws IOException;

  /**
   * Joins all that was read; empty if there is no span and no sample yet.
   *
   * @throws IOException if nothing can be read of what is there
   */
  Optional<Joined> join() throws IOException;

  @Override
  default void close() {}
}
