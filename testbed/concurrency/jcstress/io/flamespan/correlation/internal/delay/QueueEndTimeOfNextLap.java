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
import org.openjdk.jcstress.infra.results.JL_Result;

/** A due span is marked while it is taken and its slot is immediately reused for the next span. */
@JCStressTest
@Outcome(
    id = {"9223372036854775807, A", "9223372036854775807, -"},
    expect = ACCEPTABLE,
    desc = "The due span was marked before the other one was queued.")
@Outcome(expect = FORBIDDEN, desc = "The end time belongs to the span that came next.")
@State
public class QueueEndTimeOfNextLap {
  private final SpanQueue queue = new SpanQueue(1);

  public QueueEndTimeOfNextLap() {
    queue.offer(Queues.A, Queues.ROOT_A);
  }

  @Actor
  public void mark(JL_Result result) {
    result.r1 = queue.markDue(Queues.BETWEEN, Queues.AFTER);
  }

  @Actor
  public void takeAndOffer(JL_Result result) {
    String taken = "-";
    for (int i = 0; i < 100 && taken.equals("-"); i++) {
      taken = Queues.take(queue);
    }
    boolean unused = queue.offer(Queues.B, Queues.ROOT_B);
    result.r2 = taken;
  }
}
