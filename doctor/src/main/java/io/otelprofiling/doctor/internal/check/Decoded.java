/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Process data that was decoded, or why a profiler cannot. Immutable. */
public final class Decoded {
  public final @Nullable FoundProcessStorage storage;
  public final String problem;

  Decoded(ProcessMemory memory, long address) {
    FoundProcessStorage decoded = null;
    String why = "";
    try {
      decoded = new FoundProcessStorage(memory, address);
    } catch (IOException e) {
      why = String.valueOf(e.getMessage());
    }
    storage = decoded;
    problem = why;
  }

  boolean isBroken() {
    return !problem.isEmpty();
  }

  boolean isTooLong() {
    return storage != null && !storage.excess().isEmpty();
  }

  @Override
  public String toString() {
    return storage == null
        ? problem
        : isTooLong()
            ? storage.excess()
            : "service "
                + storage.serviceName
                + (storage.environment.isEmpty() ? "" : ", environment " + storage.environment)
                + ", socket "
                + storage.socketPath;
  }
}
