/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.concurrency.Search;
import io.otelprofiling.correlation.concurrency.Spans;
import io.otelprofiling.correlation.internal.protocol.HexIds;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * The table of local roots is a map from their ids, also where several have one trace id: spans
 * start and end, and each message reaches the span that it names.
 */
@Param(name = "span", gen = IntGen.class, conf = "0:3")
public class LocalRootSpansLincheckTest {
  private static final int SPANS = 4;
  private static final int TABLE = 1 << 14;
  private static final ReadableSpan[] spans = new ReadableSpan[SPANS];

  static {
    String traceId = Spans.newTraceId();
    for (int i = 0; i < SPANS; i++) {
      spans[i] = i == 0 ? Spans.root() : Spans.rootOf(traceId);
    }
  }

  private final LocalRootSpans table = new LocalRootSpans(TABLE);
  private final boolean[] started = new boolean[SPANS]; // a span starts once

  @Operation(nonParallelGroup = "starts")
  public boolean start(@Param(name = "span") int span) {
    if (started[span]) {
      return false;
    }
    started[span] = true;
    table.onStart(Context.root(), spans[span]);
    return true;
  }

  @Operation
  public int message(@Param(name = "span") int span) {
    String traceId = spans[span].getSpanContext().getTraceId();
    LocalRoot root =
        table.find(
            HexIds.parseLong(traceId, 0),
            HexIds.parseLong(traceId, 16),
            HexIds.parseLong(spans[span].getSpanContext().getSpanId(), 0));
    return root == null ? -2 : root.add(1, 2, 1 + span, 1_000);
  }

  @Operation
  public int end(@Param(name = "span") int span) {
    LocalRoot root = table.itself(spans[span].getSpanContext());
    if (root == null) {
      return -2;
    }
    table.retain(root);
    int ids = root.freeze().size();
    table.release(root);
    return ids;
  }

  @Test
  void table_underStress_isLinearizable() {
    Search.underStress(LocalRootSpansLincheckTest.class);
  }

  @Test
  void table_allSwitches_isLinearizable() {
    Search.byModelChecking(LocalRootSpansLincheckTest.class);
  }
}
