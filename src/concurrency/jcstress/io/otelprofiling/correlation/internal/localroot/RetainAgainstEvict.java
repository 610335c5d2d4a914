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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A child starts while its local root, which has ended, is evicted. */
@JCStressTest
@Outcome(
    id = {"true, false"},
    expect = ACCEPTABLE,
    desc = "It is retained, and so not evicted.")
@Outcome(
    id = {"false, true"},
    expect = ACCEPTABLE,
    desc = "It is evicted, and the child knows.")
@Outcome(expect = FORBIDDEN, desc = "It is retained and evicted, or neither.")
@State
public class RetainAgainstEvict {
  private final LocalRoot root = new LocalRoot(Spans.context(Spans.newTraceId(), 1));

  public RetainAgainstEvict() {
    boolean unused = root.release(RetainedEntry.BY_SPAN);
  }

  @Actor
  public void retain(ZZ_Result result) {
    result.r1 = root.retain(RetainedEntry.BY_SPAN);
  }

  @Actor
  public void evict(ZZ_Result result) {
    result.r2 = root.evict();
  }
}
