/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import io.flamespan.correlation.concurrency.Search;
import io.flamespan.correlation.concurrency.Spans;
import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.opentelemetry.sdk.trace.ReadableSpan;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * The queue behaves like a bounded queue with a mark: any thread may offer, one thread at a time
 * marks, and one takes. {@code markDue} is left out because it skips spans queued after one whose
 * offer has not returned, which no sequential order of calls explains.
 */
@Param(name = "span", gen = IntGen.class, conf = "0:3")
public class SpanQueueLincheckTest {
  private static final int SPANS = 4;
  private static final ReadableSpan[] spans = new ReadableSpan[SPANS];
  private static final LocalRoot[] roots = new LocalRoot[SPANS];

  static {
    for (int i = 0; i < SPANS; i++) {
      spans[i] = Spans.root();
      roots[i] = new LocalRoot();
    }
  }

  // More than a scenario offers: while a span is being taken, the queue may appear full to offering
  // threads, which then pass their span on at once.
  private final SpanQueue queue = new SpanQueue(32);

  @Operation
  public boolean offer(@Param(name = "span") int span) {
    return queue.offer(spans[span], roots[span]);
  }

  @Operation(nonParallelGroup = "marks")
  public void markAllDue() {
    queue.markDueUntil(queue.offered());
  }

  @Operation(nonParallelGroup = "takes")
  public String take() {
    String taken = "";
    if (queue.hasDue()) {
      LocalRoot root = queue.first();
      ReadableSpan first = queue.remove();
      for (int span = 0; span < SPANS; span++) {
        if (first == spans[span]) {
          taken = root == roots[span] ? "" + span : "wrong";
        }
      }
    }
    return taken;
  }

  @Test
  void queue_underStress_isLinearizable() {
    Search.underStress(SpanQueueLincheckTest.class);
  }

  @Test
  void queue_allSwitches_isLinearizable() {
    Search.byModelChecking(SpanQueueLincheckTest.class);
  }
}
