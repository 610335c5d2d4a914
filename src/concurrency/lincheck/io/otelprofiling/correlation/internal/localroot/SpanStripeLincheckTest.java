/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import io.otelprofiling.correlation.concurrency.Search;
import io.otelprofiling.correlation.concurrency.Spans;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * A part of the table is a map, although its readers take no lock. All spans have the same home in
 * it, and the ninth that ends makes the first one leave.
 */
@Param(name = "span", gen = IntGen.class, conf = "0:3")
public class SpanStripeLincheckTest {
  private static final String TRACE_ID = Spans.newTraceId();
  private static final int SPANS = 4;
  private static final int RECENT = 8;
  private static final LocalRoot[] roots = new LocalRoot[SPANS];

  static {
    for (int i = 0; i < SPANS; i++) {
      roots[i] = new LocalRoot(Spans.context(TRACE_ID, 1 + i));
    }
  }

  private final SpanStripe stripe = new SpanStripe(3);

  @Operation
  public int find(@Param(name = "span") int span) {
    LocalRoot found = stripe.find(key(span), TRACE_ID);
    for (int i = 0; i < SPANS; i++) {
      if (found == roots[i]) {
        return i;
      }
    }
    return found == null ? -1 : -2;
  }

  @Operation
  public boolean add(@Param(name = "span") int span) {
    return stripe.add(key(span), roots[span]);
  }

  /** Ends a span eight times, so that it leaves at once. */
  @Operation(nonParallelGroup = "ends")
  public void end(@Param(name = "span") int span) {
    LocalRoot unused = stripe.end(key(span), TRACE_ID);
  }

  @Operation(nonParallelGroup = "ends")
  public void endOthers() {
    for (int i = 0; i < RECENT; i++) {
      LocalRoot unused = stripe.evictLater(1_000 + i);
    }
  }

  @Operation
  public int size() {
    return stripe.size();
  }

  private static long key(int span) {
    return 5 + 16L * span;
  }

  @Test
  void stripe_underStress_isLinearizable() {
    Search.underStress(SpanStripeLincheckTest.class);
  }

  @Test
  void stripe_allSwitches_isLinearizable() {
    Search.byModelChecking(SpanStripeLincheckTest.class);
  }
}
