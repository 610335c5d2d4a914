/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.concurrency.Spans;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;

/** Two spans, and a word that lists the spans taken from a queue they were offered to. */
final class Queues {
  static final ReadableSpan A = Spans.root();
  static final ReadableSpan B = Spans.root();
  static final LocalRoot ROOT_A = new LocalRoot();
  static final LocalRoot ROOT_B = new LocalRoot();

  private Queues() {}

  /** Takes all due spans and returns their names in order; "?" is a span with a wrong root. */
  static String take(DelayedSpanQueue queue) {
    DelayedSpanQueue.Batch batch = new DelayedSpanQueue.Batch();
    StringBuilder names = new StringBuilder();
    for (queue.take(batch); batch.count > 0; queue.take(batch)) {
      for (int i = 0; i < batch.count; i++) {
        names.append(name(batch.spans[i], batch.roots[i]));
      }
    }
    return names.length() == 0 ? "-" : names.toString();
  }

  /** Takes all spans. Must be called after the last offer. */
  static String takeRest(DelayedSpanQueue queue) {
    queue.markAllDue();
    return take(queue);
  }

  private static String name(Object span, Object root) {
    if (span == A && root == ROOT_A) {
      return "A";
    }
    return span == B && root == ROOT_B ? "B" : "?";
  }
}
