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

/** A span ends while the first message activates the delay and the worker releases due spans. */
@JCStressTest
@Outcome(
    id = {"1, 0"},
    expect = ACCEPTABLE,
    desc = "The span was passed on at once.")
@Outcome(
    id = {"1, 1"},
    expect = ACCEPTABLE,
    desc = "The span was delayed and then passed on.")
@Outcome(expect = FORBIDDEN, desc = "The span is lost or was passed on twice.")
@State
public class EndAgainstActivation {
  private final Processors all = new Processors();

  @Actor
  public void end() {
    all.endSpan();
  }

  @Actor
  public void activate() {
    all.delay.activate(0);
    all.runRounds();
  }

  @Arbiter
  public void release(IJ_Result result) {
    all.runRounds();
    result.r1 = all.arrivals.get();
    result.r2 = all.processor.delayedSpans();
  }
}
