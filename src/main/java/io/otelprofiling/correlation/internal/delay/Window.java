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
 * "taken" means depends on the processor; this window is for those that are neither the SDK's batch
 * processor nor its simple one. They get a number of spans in each round, because nobody knows when
 * they take a span, and what their {@code forceFlush} does.
 *
 * <p>Used in rounds of the {@link Releaser}.
 */
class Window {
  private static final int MAX_SPANS = 512;
  private static final Pattern BATCH_SIZE =
      Pattern.compile("BatchSpanProcessor\\{|maxExportBatchSize=(\\d{1,9})");
  private static final String SIMPLE = "SimpleSpanProcessor{";

  private int given; // in this round

  /**
   * Returns an open window.
   *
   * @param processor the description of the processor: it names the kind, also that of a processor
   *     behind it
   * @param maxQueueSize the size of its queue as far as that is known, or a larger number
   * @param flush flushes the processor
   * @param onRoom runs on any thread when the releaser need not wait any longer
   */
  static Window of(
      String processor, int maxQueueSize, Supplier<CompletableResultCode> flush, Runnable onRoom) {
    int batch = batchSize(processor);
    if (batch > 0) {
      return new BatchWindow(Math.min(batch, maxQueueSize), flush, onRoom);
    }
    return processor.contains(SIMPLE) ? new SimpleWindow(flush, onRoom) : new Window();
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

  /** Returns whether the processor exports spans later, on its own thread. */
  boolean isOfBatches() {
    return false;
  }

  /** Called at the beginning of each round. */
  void beginRound() {
    given = 0;
  }

  /** Returns whether the processor may be given another span. */
  boolean isOpen() {
    return given < MAX_SPANS;
  }

  /**
   * Returns the mark for the next span, or null if it does not need one.
   *
   * @param idsOfSpan the number of its stack trace ids
   */
  BatchWindow.@Nullable Mark next(int idsOfSpan) {
    return null;
  }

  /** Records that the processor is given the next span, which has this mark. */
  void give(BatchWindow.@Nullable Mark mark) {
    given++;
  }

  /**
   * Makes the processor take what it was given. Called when there is no room, once in each round.
   *
   * @param nowNanos the current time
   */
  void press(long nowNanos) {
    given = 0;
  }

  /**
   * Returns whether a flush or shutdown of the processor now includes all spans that it was given.
   *
   * @param nowNanos the current time
   */
  boolean isQuiet(long nowNanos) {
    return true;
  }
}
