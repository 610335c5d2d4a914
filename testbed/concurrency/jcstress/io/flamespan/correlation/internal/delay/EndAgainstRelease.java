/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/** A span ends and is marked while the releaser finishes its step for another span. */
@JCStressTest
@Outcome(
    id = {"1, 0"},
    expect = ACCEPTABLE,
    desc = "The span was passed on.")
@Outcome(expect = FORBIDDEN, desc = "The span is marked and waits, but nobody releases it.")
@State
public class EndAgainstRelease {
  private final Processors all = new Processors();

  public EndAgainstRelease() {
    all.delay.activate(0);
  }

  @Actor
  public void end() {
    all.endSpan();
  }

  @Actor
  public void release() {
    all.runRounds();
  }

  @Arbiter
  public void afterwards(IJ_Result result) {
    all.runRounds(); // if the span has woken the releaser
    result.r1 = all.arrivals.get();
    result.r2 = all.processor.waitingSpans();
  }
}
