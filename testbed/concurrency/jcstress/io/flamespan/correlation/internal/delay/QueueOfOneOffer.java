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
import org.openjdk.jcstress.infra.results.ZZL_Result;

/** Two threads each offer a span to a queue with room for one. */
@JCStressTest
@Outcome(
    id = {"true, false, A", "false, true, B"},
    expect = ACCEPTABLE,
    desc = "The accepted span is in the queue once.")
@Outcome(expect = FORBIDDEN, desc = "A span is lost or duplicated, or neither was accepted.")
@State
public class QueueOfOneOffer {
  private final SpanQueue queue = new SpanQueue(1);

  @Actor
  public void first(ZZL_Result result) {
    result.r1 = queue.offer(Queues.A, Queues.ROOT_A);
  }

  @Actor
  public void second(ZZL_Result result) {
    result.r2 = queue.offer(Queues.B, Queues.ROOT_B);
  }

  @Arbiter
  public void rest(ZZL_Result result) {
    result.r3 = Queues.takeRest(queue);
  }
}
