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
import org.openjdk.jcstress.infra.results.ZL_Result;

/** A local root span starts while the one before it of the same trace is evicted. */
@JCStressTest
@Outcome(
    id = {"true, NEXT", "false, ABSENT"},
    expect = ACCEPTABLE,
    desc = "It has the place of the first one, or another place.")
@Outcome(expect = FORBIDDEN, desc = "It was added and is not found, or the evicted one is found.")
@State
public class NextRootOfTraceAgainstEviction {
  private static final int OLD = 1;
  private static final int NEXT = 2;

  private final String traceId = Spans.newTraceId();
  private final LocalRoot old = new LocalRoot(Spans.context(traceId, OLD));
  private final LocalRoot next = new LocalRoot(Spans.context(traceId, NEXT));
  private final FirstOfTrace firsts = new FirstOfTrace(1_000);

  public NextRootOfTraceAgainstEviction() {
    boolean unused = firsts.add(old);
    unused = old.release(RetainedEntry.BY_SPAN);
    LocalRoot nothing = firsts.evictLater(old);
  }

  @Actor
  public void start(ZL_Result result) {
    result.r1 = firsts.add(next);
  }

  @Actor
  public void evict() {
    // With the same span id it takes the place of the old one among those that have ended.
    LocalRoot nothing = firsts.evictLater(new LocalRoot(Spans.context(Spans.newTraceId(), OLD)));
  }

  @Arbiter
  public void find(ZL_Result result) {
    LocalRoot found = firsts.find(traceId);
    result.r2 = found == null ? "ABSENT" : found == next ? "NEXT" : "OLD";
  }
}
