/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.List;

/** A trace with a request on the page. Its id is known without fetching the trace. */
public interface TraceResult {
  /** 32 hexadecimal digits. */
  String id();

  /** The spans of all services, in any order, each span id once. */
  List<TraceSpan> spans();

  /** The graph of all local root spans, with a frame for each if several have samples. */
  FlameTree tree(int mostNodes);

  /** The graph of the samples that name this span of the trace, without spans below it. */
  FlameTree treeOf(TraceSpan span, int mostNodes);

  /** The graph of the samples of a local root span and of the spans below it in its process. */
  FlameTree treeOfRequest(long localRoot, int mostNodes);
}
