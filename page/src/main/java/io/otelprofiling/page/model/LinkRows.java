/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.model;

import java.util.function.IntConsumer;

/** The rows of the samples, by Link. */
public final class LinkRows {
  private final int[] starts;
  private final int[] rows;

  LinkRows(Samples samples) {
    starts = new int[samples.links().size() + 1];
    for (int row = 0; row < samples.rows(); row++) {
      starts[samples.link(row) + 1]++;
    }
    for (int link = 1; link < starts.length; link++) {
      starts[link] += starts[link - 1];
    }
    rows = new int[samples.rows()];
    int[] next = starts.clone();
    for (int row = 0; row < rows.length; row++) {
      rows[next[samples.link(row)]++] = row;
    }
  }

  public void forEach(SampledSpan span, IntConsumer action) {
    for (int i = starts[span.link()]; i < starts[span.link() + 1]; i++) {
      action.accept(rows[i]);
    }
  }
}
