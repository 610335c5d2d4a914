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
import org.openjdk.jcstress.infra.results.LZL_Result;

/** A span is offered while the previous one in the same slot is taken. */
@JCStressTest
@Outcome(
    id = {"A, true, B"},
    expect = ACCEPTABLE,
    desc = "The span is in the freed slot.")
@Outcome(
    id = {"A, false, -"},
    expect = ACCEPTABLE,
    desc = "The queue is still full.")
@Outcome(expect = FORBIDDEN, desc = "A span is lost, duplicated, or paired with the wrong root.")
@State
public class QueueSlotReused {
  private final SpanQueue queue = new SpanQueue(1);

  public QueueSlotReused() {
    queue.offer(Queues.A, Queues.ROOT_A);
    queue.markDueUntil(queue.offered());
  }

  @Actor
  public void take(LZL_Result result) {
    result.r1 = Queues.take(queue);
  }

  @Actor
  public void offer(LZL_Result result) {
    boolean offered = false;
    for (int i = 0; i < 100 && !offered; i++) {
      offered = queue.offer(Queues.B, Queues.ROOT_B);
    }
    result.r2 = offered;
  }

  @Arbiter
  public void rest(LZL_Result result) {
    result.r3 = Queues.takeRest(queue);
  }
}
