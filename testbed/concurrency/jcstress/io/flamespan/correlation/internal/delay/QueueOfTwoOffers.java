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

/** Two threads each offer a span to a queue with room for both. */
@JCStressTest
@Outcome(
    id = {"true, true, AB", "true, true, BA"},
    expect = ACCEPTABLE,
    desc = "Both are in the queue once.")
@Outcome(expect = FORBIDDEN, desc = "A span is lost, duplicated, or paired with the wrong root.")
@State
public class QueueOfTwoOffers {
  private final SpanQueue queue = new SpanQueue(2);

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
