/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.opentelemetry.sdk.common.CompletableResultCode;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIJ_Result;

/** A span ends while its processor is shut down. */
@JCStressTest
@Outcome(
    id = {"1, 0, 0"},
    expect = ACCEPTABLE,
    desc = "The span was passed on in time.")
@Outcome(
    id = {"0, 0, 0"},
    expect = ACCEPTABLE,
    desc = "The span came too late and was dropped.")
@Outcome(
    expect = FORBIDDEN,
    desc = "The span was passed on twice, after the shutdown, or waits forever.")
@State
public class EndAgainstShutdown {
  private final Processors all = new Processors();

  public EndAgainstShutdown() {
    all.delay.activate(1_000_000_000_000L);
  }

  @Actor
  public void end() {
    all.endSpan();
  }

  @Actor
  public void shutDown() {
    CompletableResultCode unused = all.processor.shutdown();
    all.runRounds();
  }

  @Arbiter
  public void afterwards(IIJ_Result result) {
    all.runRounds();
    result.r1 = all.arrivals.get();
    result.r2 = all.refused.get();
    result.r3 = all.processor.waitingSpans();
  }
}
