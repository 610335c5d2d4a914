/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.output;

/** The limits of a page that a browser opens quickly, of about 20 MB at most. */
record PageLimits(
    int endpointNodes, int requests, int requestNodes, int spans, int sliceNodes, int sliceCells) {
  static final int ENDPOINTS = 200;
  static final int TIME_BINS = 240;

  private static final int REQUESTS = 20;
  private static final int NODES = 200_000;
  private static final int SPANS = 100_000;
  private static final int SLICE_NODES = 50_000;
  private static final int SLICE_CELLS = 200_000;

  static PageLimits of(int endpoints) {
    int shown = Math.max(1, Math.min(endpoints, ENDPOINTS));
    int requests = shown * REQUESTS;
    return new PageLimits(
        Math.min(5_000, NODES / shown),
        REQUESTS,
        Math.min(1_000, NODES / requests),
        Math.min(500, SPANS / requests),
        Math.min(1_000, SLICE_NODES / shown),
        Math.min(50_000, SLICE_CELLS / shown));
  }
}
