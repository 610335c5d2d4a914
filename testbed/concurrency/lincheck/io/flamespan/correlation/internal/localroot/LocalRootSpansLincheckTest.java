/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import io.flamespan.correlation.concurrency.Search;
import io.flamespan.correlation.concurrency.Spans;
import io.flamespan.correlation.internal.protocol.HexIds;
import io.opentelemetry.api.trace.SpanContext;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Spans start and end, several of them in one trace. Each message reaches the span that it names,
 * or is refused.
 */
@Param(name = "span", gen = IntGen.class, conf = "0:3")
public class LocalRootSpansLincheckTest {
  private static final int SPANS = 4;
  private static final int TABLE = 1 << 14;
  private static final int REFUSED = LocalRoot.FROZEN;
  private static final SpanContext[] spans = new SpanContext[SPANS];

  static {
    String traceId = Spans.newTraceId();
    for (int i = 0; i < SPANS; i++) {
      spans[i] = (i == 0 ? Spans.root() : Spans.rootOf(traceId)).getSpanContext();
    }
  }

  private final LocalRootSpans localRoots = new LocalRootSpans(TABLE);
  private final boolean[] started = new boolean[SPANS]; // a span starts once

  @Operation(nonParallelGroup = "spans")
  public boolean start(@Param(name = "span") int span) {
    if (started[span]) {
      return false;
    }
    started[span] = true;
    boolean unused = localRoots.onStart(spans[span]);
    return true;
  }

  @Operation
  public int message(@Param(name = "span") int span) {
    String traceId = spans[span].getTraceId();
    LocalRoot root =
        localRoots.find(
            HexIds.parseLong(traceId, 0),
            HexIds.parseLong(traceId, 16),
            HexIds.parseLong(spans[span].getSpanId(), 0));
    return root == null ? REFUSED : root.add(1, 2, 1 + span, 1_000);
  }

  /** Ends a span, which is passed on at once. Returns its number of ids, if it was known. */
  @Operation(nonParallelGroup = "spans")
  public int end(@Param(name = "span") int span) {
    LocalRoot root = localRoots.entryOf(spans[span]);
    if (root == null) {
      return REFUSED;
    }
    boolean unused = root.retain();
    localRoots.onEnd(spans[span]);
    int ids = root.freeze().size();
    localRoots.release(root);
    return ids;
  }

  @Test
  void spans_underStress_areLinearizable() {
    Search.underStress(LocalRootSpansLincheckTest.class);
  }

  @Test
  void spans_allSwitches_areLinearizable() {
    Search.byModelChecking(LocalRootSpansLincheckTest.class);
  }
}
