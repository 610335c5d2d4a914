/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A span is offered while the releaser, which saw none, looks once more before it sleeps. */
@JCStressTest
@Outcome(
    id = {"true, true", "true, false", "false, false"},
    expect = ACCEPTABLE,
    desc = "The releaser sees the span, or is woken by the offering thread.")
@Outcome(expect = FORBIDDEN, desc = "The releaser sleeps while a span waits.")
@State
public class QueueOfferAgainstSleep {
  private final SpanQueue queue = new SpanQueue(1);
  private final AtomicBoolean asleep = new AtomicBoolean();

  @Actor
  public void offer(ZZ_Result result) {
    queue.offer(Queues.A, Queues.ROOT_A);
    result.r1 = asleep.get();
  }

  @Actor
  public void sleep(ZZ_Result result) {
    asleep.set(true);
    result.r2 = queue.offered() == queue.taken();
  }
}
