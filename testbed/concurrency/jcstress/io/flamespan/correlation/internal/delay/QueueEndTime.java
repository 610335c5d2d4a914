/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flamespan.correlation.internal.localroot.LocalRoot;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JZ_Result;

/** The end time of a span is read while the span is offered into a reused slot. */
@JCStressTest
@Outcome(
    id = {"5120, false"},
    expect = ACCEPTABLE,
    desc = "The span is in the queue and not due yet.")
@Outcome(
    id = {"9223372036854775807, false"},
    expect = ACCEPTABLE,
    desc = "The span is not in the queue yet.")
@Outcome(expect = FORBIDDEN, desc = "The end time belongs to another span.")
@State
public class QueueEndTime {
  private final SpanQueue queue = new SpanQueue(1);

  public QueueEndTime() {
    queue.offer(Queues.A, Queues.ROOT_A);
    String unused = Queues.takeRest(queue);
  }

  @Actor
  public void offer() {
    LocalRoot root = new LocalRoot();
    root.setEnded(Queues.END_B);
    queue.offer(Queues.B, root);
  }

  @Actor
  public void mark(JZ_Result result) {
    result.r1 = queue.markDue(Queues.BETWEEN, Queues.AFTER);
    result.r2 = queue.hasDue();
  }
}
