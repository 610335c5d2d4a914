/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import java.util.function.IntConsumer;

/** The rows of sums, by owner. */
public final class OwnedRows {
  private final int[] starts;
  private final int[] rows;

  OwnedRows(StackSums sums, int owners) {
    starts = new int[owners + 1];
    for (int row = 0; row < sums.rows(); row++) {
      starts[sums.owner(row) + 1]++;
    }
    for (int owner = 1; owner < starts.length; owner++) {
      starts[owner] += starts[owner - 1];
    }
    rows = new int[sums.rows()];
    int[] next = starts.clone();
    for (int row = 0; row < rows.length; row++) {
      rows[next[sums.owner(row)]++] = row;
    }
  }

  public void forEach(int owner, IntConsumer action) {
    for (int i = starts[owner]; i < starts[owner + 1]; i++) {
      action.accept(rows[i]);
    }
  }
}
