/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import io.otelprofiling.correlation.concurrency.Spans;
import org.jspecify.annotations.Nullable;

/** Makes local roots that are all in one part of a table, whatever their hash is made of. */
final class TableParts {
  private static final String TRACE_ID = Spans.newTraceId();
  private static final int ENOUGH = 20;
  private static final long[] spanIds = spanIdsOfOnePart();

  private TableParts() {}

  /** Finds ids by filling a part with room for one: whoever displaces the first is in its part. */
  private static long[] spanIdsOfOnePart() {
    long[] found = new long[ENOUGH];
    int count = 0;
    for (long id = 1; count < ENOUGH; id++) {
      LocalRootTable small = withRoomForOne();
      boolean unused = small.add(open(1));
      if (id == 1 || !small.add(open(id))) {
        found[count++] = id;
      }
    }
    return found;
  }

  /** Returns a table each part of which has room for one local root. */
  static LocalRootTable withRoomForOne() {
    return new LocalRootTable(1 << 6);
  }

  private static LocalRoot open(long spanId) {
    LocalRoot root = new LocalRoot();
    boolean unused = root.open(Spans.context(TRACE_ID, spanId));
    return root;
  }

  /** Returns a new local root with the ids of this number. */
  static LocalRoot root(int number) {
    return open(spanIds[number]);
  }

  static @Nullable LocalRoot find(LocalRootTable table, LocalRoot root) {
    return table.find(root.traceIdHigh(), root.traceIdLow(), root.spanId());
  }
}
