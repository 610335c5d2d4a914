/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.concurrency.Search;
import io.otelprofiling.correlation.concurrency.Spans;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * The queue is a bounded queue with a mark: any thread may offer, one thread at a time may mark,
 * and one at a time may take. {@code markDue} is left out because it is not linearizable: it does
 * not mark spans behind one whose offer has not returned.
 */
@Param(name = "span", gen = IntGen.class, conf = "0:3")
public class DelayedSpanQueueLincheckTest {
  private static final int SPANS = 4;
  private static final ReadableSpan[] spans = new ReadableSpan[SPANS];
  private static final LocalRoot[] roots = new LocalRoot[SPANS];

  static {
    for (int i = 0; i < SPANS; i++) {
      spans[i] = Spans.root();
      roots[i] = new LocalRoot();
    }
  }

  // More than a scenario offers: the queue may be full while a batch is being taken, and then a
  // span is passed on at once.
  private final DelayedSpanQueue queue = new DelayedSpanQueue(32);

  @Operation
  public boolean offer(@Param(name = "span") int span) {
    return queue.offer(spans[span], roots[span], span);
  }

  @Operation(nonParallelGroup = "marks")
  public void markAllDue() {
    queue.markAllDue();
  }

  @Operation(nonParallelGroup = "takes")
  public String take() {
    DelayedSpanQueue.Batch batch = new DelayedSpanQueue.Batch();
    queue.take(batch);
    StringBuilder taken = new StringBuilder();
    for (int i = 0; i < batch.count; i++) {
      for (int span = 0; span < SPANS; span++) {
        if (batch.spans[i] == spans[span]) {
          taken.append(batch.roots[i] == roots[span] ? span : "wrong");
        }
      }
    }
    return taken.toString();
  }

  @Test
  void queue_underStress_isLinearizable() {
    Search.underStress(DelayedSpanQueueLincheckTest.class);
  }

  @Test
  void queue_allSwitches_isLinearizable() {
    Search.byModelChecking(DelayedSpanQueueLincheckTest.class);
  }
}
