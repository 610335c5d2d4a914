/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How much a processor may be given before it has taken what it got: the back-pressure of delayed
 * spans, which leave by the thousands at a flush, a shutdown or after a pause of the JVM. What
 * "taken" means depends on the processor. Used in rounds of the {@link Releaser}.
 */
abstract class Window {
  /** How long a closed window waits for a processor that takes nothing. */
  static final long PATIENCE_NANOS = 10_000_000_000L;

  private static final Pattern BATCH_SIZE =
      Pattern.compile("BatchSpanProcessor\\{|maxExportBatchSize=(\\d{1,9})");
  private static final String SIMPLE = "SimpleSpanProcessor{";

  /**
   * Returns an open window.
   *
   * @param processor the description of the processor: it names the kind, also that of a processor
   *     behind it
   * @param queueSize the size of its queue, or 0 if it is not known
   * @param flush flushes the processor
   * @param onRoom runs on any thread when the releaser need not wait any longer
   */
  static Window of(
      String processor, int queueSize, Supplier<CompletableResultCode> flush, Runnable onRoom) {
    int batch = batchSize(processor);
    if (batch > 0) {
      int shortest = queueSize == 0 ? batch : Math.min(batch, queueSize);
      return new BatchWindow(Math.max(shortest / 2, queueSize / 8), flush, onRoom);
    }
    return processor.contains(SIMPLE) ? new SimpleWindow(flush, onRoom) : new OtherWindow(onRoom);
  }

  /** Returns the size of the smallest batches in this description, or 0. */
  private static int batchSize(String processor) {
    int smallest = 0;
    boolean inBatchProcessor = false;
    for (Matcher found = BATCH_SIZE.matcher(processor); found.find(); ) {
      String digits = found.group(1);
      if (digits == null) {
        inBatchProcessor = true;
      } else if (inBatchProcessor) {
        int size = Math.max(1, Integer.parseInt(digits));
        smallest = smallest == 0 ? size : Math.min(smallest, size);
      }
    }
    return smallest;
  }

  /** Returns how fast the processor is assumed to be before it has taken spans. */
  Pace pace() {
    return new Pace(256, 5_000_000);
  }

  /** Returns whether the processor may export a span before its {@code onEnd} returns. */
  boolean mayExportOnEnd() {
    return true;
  }

  /** Called at the beginning of each round. */
  void beginRound() {}

  /** Returns whether the processor may be given another span. */
  abstract boolean isOpen();

  /**
   * Returns the mark for the next span, or null if it does not need one.
   *
   * @param idsOfSpan the number of its stack trace ids
   */
  MarkedWindow.@Nullable Mark next(int idsOfSpan) {
    return null;
  }

  /** Records that the processor is given the next span, which has this mark. */
  abstract void give(MarkedWindow.@Nullable Mark mark);

  /**
   * Makes the processor take what it was given, or gives up. Called once in each round in which
   * there is no room.
   *
   * @param nowNanos the current time
   */
  abstract void press(long nowNanos);

  /**
   * Records that a flush of the processor has begun.
   *
   * @param nowNanos the current time
   */
  void flushing(CompletableResultCode result, long nowNanos) {}

  /**
   * Returns whether a flush or shutdown of the processor, if it begins now, includes all spans that
   * it was given.
   *
   * @param nowNanos the current time
   */
  boolean isQuiet(long nowNanos) {
    return true;
  }
}
