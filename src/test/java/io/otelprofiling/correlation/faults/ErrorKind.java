/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.faults;

/** The errors that are thrown at points: one for exhausted memory, and one for a missing class. */
enum ErrorKind {
  MEMORY {
    @Override
    Error create(String point) {
      return new OutOfMemoryError("injected at " + point);
    }
  },
  LINKAGE {
    @Override
    Error create(String point) {
      return new NoClassDefFoundError("injected at " + point);
    }
  };

  abstract Error create(String point);
}
