/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZL_Result;

/** A span is offered while the plug-in stops: it ends the delay, then marks all spans. */
@JCStressTest
@Outcome(
    id = {"true, A", "false, A", "false, -"},
    expect = ACCEPTABLE,
    desc = "The span is marked, or the offering thread knows that nobody will take it.")
@Outcome(expect = FORBIDDEN, desc = "The span waits forever.")
@State
public class QueueOfferAgainstStop {
  private final SamplesDelay delay = new SamplesDelay();
  private final SpanQueue queue = new SpanQueue(1);

  public QueueOfferAgainstStop() {
    delay.activate(1);
  }

  @Actor
  public void offer(ZL_Result result) {
    queue.offer(Queues.A, Queues.ROOT_A);
    result.r1 = delay.isActive();
  }

  @Actor
  public void stop(ZL_Result result) {
    delay.deactivate();
    queue.markDueUntil(queue.offered());
    result.r2 = Queues.take(queue);
  }
}
