/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.files;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.embedded.IdleThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Writes lines on a thread of its own, so that a disk holds up nobody. Drops lines, and says so,
 * while too many wait. The thread ends when there is nothing to write. Thread-safe.
 */
final class LineWriter {
  private static final long MAX_WAITING_BYTES = 32 << 20;
  private static final long HANGS_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RateLimitedLogger failures = new RateLimitedLogger(LineWriter.class);
  private final RateLimitedLogger drops = new RateLimitedLogger(LineWriter.class);
  private final AtomicLong waitingBytes = new AtomicLong();
  private final RateLimitedLogger hangs = new RateLimitedLogger(LineWriter.class);
  private final LineFiles files;
  private final Executor thread;
  private final LongSupplier nanoTime;
  private volatile long progressNanos; // when a line was written, or began to wait for none

  LineWriter(LineFiles files) {
    this(files, IdleThreads.create("otel-profiling-lines"), System::nanoTime);
  }

  /**
   * Creates a writer.
   *
   * @param thread runs one task after the other
   */
  LineWriter(LineFiles files, Executor thread, LongSupplier nanoTime) {
    this.files = files;
    this.thread = thread;
    this.nanoTime = nanoTime;
  }

  /**
   * Returns whether the line was written, as soon as that is known. Nobody waits for a disk that
   * has not answered for a second: the line then counts as written, and is, once the disk answers.
   * Never throws.
   */
  CompletableResultCode write(byte[] line) {
    CompletableResultCode result = new CompletableResultCode();
    boolean isSlow = isStuckFor(SLOW_NANOS);
    if (isStuckFor(HANGS_NANOS)) {
      hangs.warn(
          "Spans or profiles are dropped, because a file system does not answer: writing to "
              + files
              + " has not ended for ten seconds. Check the mount of this path");
      return result.fail();
    }
    if (waitingBytes.get() == 0) {
      progressNanos = nanoTime.getAsLong(); // before others see that this line waits
    }
    if (waitingBytes.addAndGet(line.length) > MAX_WAITING_BYTES) {
      waitingBytes.addAndGet(-line.length);
      drops.warn("Spans or profiles were dropped, because " + files + " takes them too slowly");
      return result.fail();
    }
    run(result, line);
    return isSlow ? CompletableResultCode.ofSuccess() : result;
  }

  private boolean isStuckFor(long nanos) {
    return waitingBytes.get() > 0 && nanoTime.getAsLong() - progressNanos > nanos;
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

  private void run(CompletableResultCode result, byte[] line) {
    try {
      thread.execute(
          () -> {
            try {
              writeNow(result, line);
            } finally {
              progressNanos = nanoTime.getAsLong();
              waitingBytes.addAndGet(-line.length);
            }
          });
    } catch (RuntimeException | OutOfMemoryError e) { // there may be no more threads
      waitingBytes.addAndGet(-line.length);
      failed(result, e);
    }
  }

  private void writeNow(CompletableResultCode result, byte[] line) {
    try {
      if (line.length > 0) {
        files.write(line);
      }
      result.succeed();
    } catch (Throwable e) { // the result must complete
      failed(result, e);
    }
  }

  private void failed(CompletableResultCode result, Throwable e) {
    failures.warn("Spans or profiles were not written to " + files, e);
    result.fail();
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
