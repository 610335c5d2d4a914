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
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** The last child ends while a processor passes the local root span on. */
@JCStressTest
@Outcome(
    id = {"true, false, true", "false, true, true"},
    expect = ACCEPTABLE,
    desc = "One of them was the last, and hands the entry to eviction.")
@Outcome(expect = FORBIDDEN, desc = "Both or none of them hand the entry to eviction.")
@State
public class TwoReleases {
  private final LocalRoot root = new LocalRoot(Spans.context(Spans.newTraceId(), 1));

  public TwoReleases() {
    boolean unused = root.retain(RetainedEntry.BY_PROCESSOR);
  }

  @Actor
  public void end(ZZZ_Result result) {
    result.r1 = root.release(RetainedEntry.BY_SPAN);
  }

  @Actor
  public void passOn(ZZZ_Result result) {
    result.r2 = root.release(RetainedEntry.BY_PROCESSOR);
  }

  @Arbiter
  public void evict(ZZZ_Result result) {
    result.r3 = root.evict();
  }
}
