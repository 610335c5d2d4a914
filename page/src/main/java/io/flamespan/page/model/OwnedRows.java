/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import java.util.function.IntConsumer;

/** The rows of sums, by owner. */
public final class OwnedRows {
  private final int[] starts;

  /** Sorts the rows of the sums. */
  OwnedRows(StackSums sums, int owners) {
    starts = sums.sortByOwner(owners);
  }

  /** The first row of an owner. */
  int begin(int owner) {
    return starts[owner];
  }

  /** The row after the last one. */
  int end(int owner) {
    return starts[owner + 1];
  }

  public void forEach(int owner, IntConsumer action) {
    for (int row = starts[owner]; row < starts[owner + 1]; row++) {
      action.accept(row);
    }
  }
}
