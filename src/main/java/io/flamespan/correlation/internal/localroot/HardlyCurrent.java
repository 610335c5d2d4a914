/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import io.flamespan.correlation.internal.log.Trouble;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Notices a framework that keeps its spans to itself: neither they nor spans below them are current
 * on a thread while it works for them, so no profiler can see that. Says so once.
 *
 * <p>Some such spans are usual, as when they describe what is over. Hence only many in a row count,
 * of which each lasts long enough to be worth a sample. Some frameworks make a span current only to
 * record a metric with exemplars before it ends, which takes a part of a millisecond, or several on
 * busy CPUs. So a span also counts that was first current in the second half of its time.
 */
final class HardlyCurrent {
  private static final int IN_A_ROW = 16;
  private static final long MIN_NANOS = 1_000_000;
  private static final int MAX_SPANS = 10_000; // looking at them costs a little

  private final AtomicInteger inARow = new AtomicInteger();
  private final AtomicInteger spans = new AtomicInteger();
  private final Consumer<Boolean> noteRoots;
  private volatile boolean looks;

  /**
   * Looks at nothing yet.
   *
   * @param noteRoots called with true before and false after the time in which local root spans
   *     have to note that they are current
   */
  HardlyCurrent(Consumer<Boolean> noteRoots) {
    this.noteRoots = noteRoots;
  }

  void begin() {
    looks = true;
    noteRoots.accept(true);
  }

  /** Must be called when a local root span has ended. */
  void onEnd(LocalRoot root, ReadableSpan span) {
    if (!looks) {
      return;
    }
    if (!isHardlyCurrent(root, span)) {
      if (inARow.get() != 0) {
        inARow.set(0);
      }
    } else if (inARow.incrementAndGet() == IN_A_ROW) {
      end();
      Trouble.warn(
          LocalRootTracker.class,
          "The last "
              + IN_A_ROW
              + " local root spans were never or hardly current on a thread, so profilers cannot see"
              + " what works for them. Let the framework pass contexts on to its threads:"
              + " spring.reactor.context-propagation=auto for Spring WebFlux, asContextElement for"
              + " coroutines, Context.taskWrapping for executors");
    }
    if (spans.incrementAndGet() == MAX_SPANS) {
      end();
    }
  }

  private void end() {
    looks = false;
    noteRoots.accept(false);
  }

  private static boolean isHardlyCurrent(LocalRoot root, ReadableSpan span) {
    long nanos = span.getLatencyNanos();
    return nanos >= MIN_NANOS
        && span.getSpanContext().isSampled()
        && (!root.wasCurrent() || root.nanosSinceCurrent() < nanos / 2);
  }
}
