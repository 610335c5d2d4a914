/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;

/** A span is offered while the worker, which saw none, looks once more before it sleeps. */
@JCStressTest
@Outcome(
    id = {"true, 9223372036854775807", "true, 5", "false, 5"},
    expect = ACCEPTABLE,
    desc = "The worker sees the span, or who offered it wakes the worker.")
@Outcome(expect = FORBIDDEN, desc = "The worker sleeps beside a span.")
@State
public class QueueOfferAgainstSleep {
  private final DelayedSpanQueue queue = new DelayedSpanQueue(1);
  private final AtomicBoolean asleep = new AtomicBoolean(); // as that of the worker

  @Actor
  public void offer(ZJ_Result result) {
    queue.offer(Queues.A, Queues.ROOT_A, 15);
    result.r1 = asleep.get();
  }

  @Actor
  public void sleep(ZJ_Result result) {
    asleep.set(true);
    result.r2 = queue.markDue(10);
  }
}
