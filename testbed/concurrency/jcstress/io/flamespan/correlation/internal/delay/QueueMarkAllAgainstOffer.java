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
import org.openjdk.jcstress.infra.results.LL_Result;

/** All spans whose offer has begun are taken, even if their threads were held up. */
@JCStressTest
@Outcome(
    id = {"AB, -", "A, B", "-, AB"},
    expect = ACCEPTABLE,
    desc = "Each span is taken once, in order.")
@Outcome(
    expect = FORBIDDEN,
    desc = "A span is lost, duplicated, out of order, or paired with the wrong root.")
@State
public class QueueMarkAllAgainstOffer {
  private final SpanQueue queue = new SpanQueue(2);

  @Actor
  public void offer() {
    queue.offer(Queues.A, Queues.ROOT_A);
    queue.offer(Queues.B, Queues.ROOT_B);
  }

  @Actor
  public void take(LL_Result result) {
    queue.markDueUntil(queue.offered());
    result.r1 = Queues.take(queue);
  }

  @Arbiter
  public void rest(LL_Result result) {
    result.r2 = Queues.takeRest(queue);
  }
}
