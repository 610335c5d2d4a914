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
import org.openjdk.jcstress.infra.results.LL_Result;

/** A span is looked up while another one is removed, so that it moves to the place of that one. */
@JCStressTest
@Outcome(
    id = {"FOUND, FOUND", "ABSENT, FOUND"},
    expect = ACCEPTABLE,
    desc = "The span that stays is found.")
@Outcome(
    expect = FORBIDDEN,
    desc = "A span that stays is not found, or a span has the local root of another.")
@State
public class FindAgainstRemoval {
  private static final String TRACE_ID = Spans.newTraceId();
  private static final LocalRoot ENDED = new LocalRoot(Spans.context(TRACE_ID, 1));
  private static final LocalRoot STAYING = new LocalRoot(Spans.context(TRACE_ID, 2));
  private static final LocalRoot LAST = new LocalRoot(Spans.context(TRACE_ID, 3));
  private static final long KEY = 5;
  private static final int OTHERS = 8;

  private final SpanStripe stripe = new SpanStripe(1_000);

  public FindAgainstRemoval() {
    boolean unused = stripe.add(KEY, ENDED);
    unused = stripe.add(KEY + 16, STAYING); // with the same home
    unused = stripe.add(KEY + 32, LAST);
    LocalRoot nothing = stripe.end(KEY, TRACE_ID);
    for (int i = 1; i < OTHERS; i++) {
      nothing = stripe.evictLater(1_000 + i);
    }
  }

  @Actor
  public void find(LL_Result result) {
    result.r1 = word(stripe.find(KEY, TRACE_ID), ENDED);
    result.r2 = word(stripe.find(KEY + 32, TRACE_ID), LAST);
  }

  @Actor
  public void remove() {
    LocalRoot nothing = stripe.evictLater(1_000 + OTHERS);
  }

  private static String word(LocalRoot found, LocalRoot expected) {
    return found == null ? "ABSENT" : found == expected ? "FOUND" : "WRONG";
  }
}
