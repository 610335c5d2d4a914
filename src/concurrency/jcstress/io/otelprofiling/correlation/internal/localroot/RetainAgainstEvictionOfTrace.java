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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A child starts while its local root, which has ended, makes room for another one. */
@JCStressTest
@Outcome(
    id = {"true, true", "false, false"},
    expect = ACCEPTABLE,
    desc = "The local root is retained and known, or neither.")
@Outcome(expect = FORBIDDEN, desc = "It is retained, and not known, or the other way round.")
@State
public class RetainAgainstEvictionOfTrace {
  private static final int SPAN_ID = 1; // which determines the place

  private final LocalRoot root = new LocalRoot(Spans.context(Spans.newTraceId(), SPAN_ID));
  private final LocalRoot next = new LocalRoot(Spans.context(Spans.newTraceId(), SPAN_ID));
  private final FirstOfTrace firsts = new FirstOfTrace(1_000);

  public RetainAgainstEvictionOfTrace() {
    boolean unused = firsts.add(root);
    unused = root.release(RetainedEntry.BY_SPAN);
    LocalRoot nothing = firsts.evictLater(root);
  }

  @Actor
  public void retain(ZZ_Result result) {
    result.r1 = root.retain(RetainedEntry.BY_SPAN);
  }

  @Actor
  public void evict() {
    LocalRoot unused = firsts.evictLater(next);
  }

  @Arbiter
  public void find(ZZ_Result result) {
    result.r2 = firsts.find(root.traceId()) == root;
  }
}
