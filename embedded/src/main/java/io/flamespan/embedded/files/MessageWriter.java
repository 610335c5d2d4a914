/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.files;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.embedded.IdleThreads;
import io.flamespan.embedded.WaitingBytes;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Writes messages on a thread of its own, so that a disk holds up nobody. Drops messages, and says
 * so, while too many wait. The thread ends when there is nothing to write. Thread-safe.
 */
final class MessageWriter {
  private static final long MAX_WAITING_BYTES = 32 << 20;
  private static final long HANGS_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RateLimitedLogger failures = new RateLimitedLogger(MessageWriter.class);
  private final WaitingBytes waiting = new WaitingBytes(MAX_WAITING_BYTES, MessageWriter.class);
  private final RateLimitedLogger hangs = new RateLimitedLogger(MessageWriter.class);
  private final MessageFiles files;
  private final Executor thread;
  private final LongSupplier nanoTime;
  private volatile boolean hasWritten;
  private volatile boolean hasLost;
  private volatile long progressNanos; // when a message was written, or began to wait for none

  MessageWriter(MessageFiles files) {
    this(files, IdleThreads.create("flamespan-record"), System::nanoTime);
  }

  /**
   * Creates a writer.
   *
   * @param thread runs one task after the other
   */
  MessageWriter(MessageFiles files, Executor thread, LongSupplier nanoTime) {
    this.files = files;
    this.thread = thread;
    this.nanoTime = nanoTime;
  }

  /**
   * Returns whether the message was written, as soon as that is known. Nobody waits for a disk that
   * has not answered for a second: the message then counts as written, and is, once the disk
   * answers. Never throws.
   */
  CompletableResultCode write(byte[] message) {
    CompletableResultCode result = new CompletableResultCode();
    boolean isSlow = isStuckFor(SLOW_NANOS);
    if (isStuckFor(HANGS_NANOS)) {
      hangs.warn(
          "Spans or profiles are dropped, because a file system does not answer: writing to "
              + files
              + " has not ended for ten seconds. Check the mount of this path");
      return lost(result);
    }
    if (waiting.isEmpty()) {
      progressNanos = nanoTime.getAsLong(); // before others see that this message waits
    }
    if (!waiting.add(message, "Spans or profiles", files)) {
      return lost(result);
    }
    run(result, message);
    return isSlow ? CompletableResultCode.ofSuccess() : result;
  }

  private boolean isStuckFor(long nanos) {
    return !waiting.isEmpty() && nanoTime.getAsLong() - progressNanos > nanos;
  }

  /**
   * Returns a result that succeeds when everything before was written. Fails at once if the disk is
   * so slow that this would hold up the end of the process. Never throws.
   */
  CompletableResultCode flush() {
    CompletableResultCode result = new CompletableResultCode();
    if (isStuckFor(SLOW_NANOS)) {
      return result.fail();
    }
    run(result, new byte[0]);
    return result;
  }

  private void run(CompletableResultCode result, byte[] message) {
    try {
      thread.execute(
          () -> {
            try {
              writeNow(result, message);
            } finally {
              progressNanos = nanoTime.getAsLong();
              waiting.remove(message);
            }
          });
    } catch (RuntimeException | OutOfMemoryError e) { // there may be no more threads
      waiting.remove(message);
      failed(result, e);
    }
  }

  private void writeNow(CompletableResultCode result, byte[] message) {
    try {
      if (message.length > 0) {
        files.write(message);
        hasWritten = true;
      }
      result.succeed();
    } catch (Throwable e) { // the result must complete
      failed(result, e);
    }
  }

  private void failed(CompletableResultCode result, Throwable e) {
    failures.warn("Spans or profiles were not written to " + files, e);
    CompletableResultCode unused = lost(result);
  }

  private CompletableResultCode lost(CompletableResultCode result) {
    hasLost = true;
    return result.fail();
  }

  /** Returns whether something was written, and nothing was lost. */
  boolean hasAll() {
    return hasWritten && !hasLost;
  }

  /** Lets the thread end as soon as it has nothing to write. */
  void endSoon() {
    IdleThreads.endSoon(thread);
  }

  @Override
  public String toString() {
    return files.toString();
  }
}
