/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.results;

import java.util.List;

/**
 * A trace of which the page shows a request. Asked for nothing but its id, it needs no fetching.
 */
public interface TraceResult {
  /** 32 hexadecimal digits. */
  String id();

  /** Of all services, in any order, each span id once. */
  List<TraceSpan> spans();

  /** Of all local root spans, with a frame for each of them if several have samples. */
  FlameTree tree(int mostNodes);

  /** Of the samples that name this span of the trace, and none below it. */
  FlameTree treeOf(TraceSpan span, int mostNodes);
}
