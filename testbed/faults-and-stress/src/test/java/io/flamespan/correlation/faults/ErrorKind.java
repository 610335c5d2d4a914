/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import java.util.function.Function;

/** The errors that are thrown at points: one for exhausted memory, and one for a missing class. */
enum ErrorKind {
  MEMORY(OutOfMemoryError::new),
  LINKAGE(NoClassDefFoundError::new);

  private final Function<String, Error> creation;

  ErrorKind(Function<String, Error> creation) {
    this.creation = creation;
  }

  Error create(String point) {
    return creation.apply("injected at " + point);
  }
}
