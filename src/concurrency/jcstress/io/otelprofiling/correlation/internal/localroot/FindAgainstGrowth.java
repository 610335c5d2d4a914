/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.otelprofiling.correlation.concurrency.Spans;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZL_Result;

/** A span is looked up while another one makes the table grow. */
@JCStressTest
@Outcome(
    id = {"true, ABSENT", "true, FOUND"},
    expect = ACCEPTABLE,
    desc = "The known span is found, the new one perhaps.")
@Outcome(expect = FORBIDDEN, desc = "A known span is not found, or has the local root of another.")
@State
public class FindAgainstGrowth {
  private static final int BEFORE_GROWTH = 13;
  private static final LocalRoot[] ROOTS = new LocalRoot[BEFORE_GROWTH + 1];

  static {
    String traceId = Spans.newTraceId();
    for (int i = 0; i < ROOTS.length; i++) {
      ROOTS[i] = new LocalRoot(Spans.context(traceId, i + 1));
    }
  }

  private final SpanStripe stripe = new SpanStripe(1_000);

  public FindAgainstGrowth() {
    for (int i = 0; i < BEFORE_GROWTH; i++) {
      boolean unused = stripe.add(key(i), ROOTS[i]);
    }
  }

  @Actor
  public void find(ZL_Result result) {
    LocalRoot fresh = stripe.find(key(BEFORE_GROWTH), ROOTS[0].traceId());
    result.r1 = stripe.find(key(7), ROOTS[0].traceId()) == ROOTS[7];
    result.r2 = fresh == null ? "ABSENT" : fresh == ROOTS[BEFORE_GROWTH] ? "FOUND" : "WRONG";
  }

  @Actor
  public void add() {
    boolean unused = stripe.add(key(BEFORE_GROWTH), ROOTS[BEFORE_GROWTH]);
  }

  private static long key(int i) {
    return 1 + 3L * i;
  }
}
