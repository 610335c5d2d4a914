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

/** A span ends while the plug-in stops. Nobody calls the worker step afterwards. */
@JCStressTest
@Outcome(
    id = {"1, 0"},
    expect = ACCEPTABLE,
    desc = "The span was passed on.")
@Outcome(expect = FORBIDDEN, desc = "The span is lost, waits forever, or was passed on twice.")
@State
public class EndAgainstPluginStop {
  private final Processors all = new Processors();

  public EndAgainstPluginStop() {
    all.delay.activate(1_000_000_000_000L);
  }

  @Actor
  public void end() {
    all.endSpan();
  }

  @Actor
  public void stop() {
    all.delay.deactivate();
    all.processor.passOnDue();
    all.runRounds();
  }

  @Arbiter
  public void afterwards(IJ_Result result) {
    all.runRounds();
    result.r1 = all.arrivals.get();
    result.r2 = all.processor.waitingSpans();
  }
}
