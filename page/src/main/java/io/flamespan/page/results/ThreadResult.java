/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.List;

/** The samples without a Link of some threads. */
public interface ThreadResult {
  String process();

  String name();

  Tally tally();

  /** The graph, with at most so many frames besides sums of smaller ones. */
  FlameTree tree(int mostNodes);

  /** As {@link EndpointResult#lines}. */
  List<LineTally> lines();
}
