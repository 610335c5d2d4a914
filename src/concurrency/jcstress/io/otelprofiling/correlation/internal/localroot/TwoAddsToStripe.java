/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.localroot;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.otelprofiling.correlation.concurrency.Spans;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Two spans are added, whose keys have one home. */
@JCStressTest
@Outcome(
    id = {"true, true, 2"},
    expect = ACCEPTABLE,
    desc = "Both are found.")
@Outcome(expect = FORBIDDEN, desc = "A span is lost, or not counted.")
@State
public class TwoAddsToStripe {
  private static final String TRACE_ID = Spans.newTraceId();
  private static final LocalRoot FIRST = new LocalRoot(Spans.context(TRACE_ID, 1));
  private static final LocalRoot SECOND = new LocalRoot(Spans.context(TRACE_ID, 2));
  private static final long KEY = 5;

  private final SpanStripe stripe = new SpanStripe(1_000);

  @Actor
  public void first() {
    boolean unused = stripe.add(KEY, FIRST);
  }

  @Actor
  public void second() {
    boolean unused = stripe.add(KEY + 16, SECOND);
  }

  @Arbiter
  public void find(ZZI_Result result) {
    result.r1 = stripe.find(KEY, TRACE_ID) == FIRST;
    result.r2 = stripe.find(KEY + 16, TRACE_ID) == SECOND;
    result.r3 = stripe.size();
  }
}
