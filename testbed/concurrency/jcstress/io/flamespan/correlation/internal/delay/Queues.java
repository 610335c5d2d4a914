/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import io.flamespan.correlation.concurrency.Spans;
import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.opentelemetry.sdk.trace.ReadableSpan;

/** Two spans, and the names of those that come out of a queue. */
final class Queues {
  static final ReadableSpan A = Spans.root();
  static final ReadableSpan B = Spans.root();
  static final long TICK = 1 << 10; // times of local roots are not finer
  static final long END_A = TICK;
  static final long BETWEEN = 10 * TICK;
  static final long END_B = 15 * TICK;
  static final long AFTER = 20 * TICK;
  static final LocalRoot ROOT_A = root(END_A);
  static final LocalRoot ROOT_B = root(END_B);

  private Queues() {}

  private static LocalRoot root(long endNanos) {
    LocalRoot root = new LocalRoot();
    root.setEnded(endNanos);
    return root;
  }

  /** Takes all due spans. Returns their names in order, with "?" for a span with the wrong root. */
  static String take(SpanQueue queue) {
    StringBuilder names = new StringBuilder();
    while (queue.hasDue()) {
      LocalRoot root = queue.first();
      names.append(name(queue.remove(), root));
    }
    return names.length() == 0 ? "-" : names.toString();
  }

  /** Takes all spans. Must not be called while a thread still offers. */
  static String takeRest(SpanQueue queue) {
    queue.markDueUntil(queue.offered());
    return take(queue);
  }

  private static String name(Object span, Object root) {
    if (span == A && root == ROOT_A) {
      return "A";
    }
    return span == B && root == ROOT_B ? "B" : "?";
  }
}
