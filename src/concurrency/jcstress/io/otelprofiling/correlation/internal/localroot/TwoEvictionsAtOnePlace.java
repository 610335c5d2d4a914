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
import org.openjdk.jcstress.infra.results.I_Result;

/** Two local root spans end that have one place among those that have ended. */
@JCStressTest
@Outcome(
    id = {"0"},
    expect = ACCEPTABLE,
    desc = "One of them is evicted by the other, which is evicted by the next.")
@Outcome(expect = FORBIDDEN, desc = "A local root span is never evicted.")
@State
public class TwoEvictionsAtOnePlace {
  private static final int SPAN_ID = 1; // which determines the place

  private final LocalRoot first = ended();
  private final LocalRoot second = ended();
  private final FirstOfTrace firsts = new FirstOfTrace(1_000);

  public TwoEvictionsAtOnePlace() {
    boolean unused = firsts.add(first) && firsts.add(second);
  }

  private static LocalRoot ended() {
    LocalRoot root = new LocalRoot(Spans.context(Spans.newTraceId(), SPAN_ID));
    boolean unused = root.release(RetainedEntry.BY_SPAN);
    return root;
  }

  @Actor
  public void first() {
    LocalRoot unused = firsts.evictLater(first);
  }

  @Actor
  public void second() {
    LocalRoot unused = firsts.evictLater(second);
  }

  @Arbiter
  public void rest(I_Result result) {
    LocalRoot unused = firsts.evictLater(ended());
    result.r1 = firsts.size();
  }
}
