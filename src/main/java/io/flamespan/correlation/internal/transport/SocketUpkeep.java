/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.threads.FilesThread;
import io.flamespan.correlation.internal.threads.LastingThread;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Has the files thread check, every 30 seconds while there is activity, whether the socket's file
 * still exists.
 */
public final class SocketUpkeep implements Worker.Upkeep {
  // Half of the promised minute, because the activity that triggers a check comes at any time.
  private static final long UPKEEP_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long REQUEST_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ProfilerSocket socket;
  private final FilesThread files;
  private final Runnable onChange;
  private final long upkeepNanos;
  private final RateLimitedLogger logger = new RateLimitedLogger(SocketUpkeep.class);
  private final RateLimitedLogger reboundLogger = new RateLimitedLogger(SocketUpkeep.class);
  private volatile long next;
  private volatile long nextRequest;

  /**
   * Prepares the checks.
   *
   * @param onChange runs on the files thread after the socket was lost or bound again
   */
  public SocketUpkeep(ProfilerSocket socket, FilesThread files, Runnable onChange) {
    this(socket, files, onChange, UPKEEP_NANOS);
  }

  SocketUpkeep(ProfilerSocket socket, FilesThread files, Runnable onChange, long upkeepNanos) {
    this.socket = socket;
    this.files = files;
    this.onChange = onChange;
    this.upkeepNanos = upkeepNanos;
    schedule();
  }

  private void schedule() {
    next = System.nanoTime() + upkeepNanos;
    nextRequest = next;
  }

  /** Costs one read of the clock. */
  @Override
  public boolean isRequestDue() {
    long now = System.nanoTime();
    if (now - nextRequest < 0) {
      return false;
    }
    nextRequest = now + REQUEST_AGAIN_NANOS;
    return true;
  }

  /** Lets the files thread begin a check. Reports an operation on files that hangs. */
  @Override
  public long handOverIfDue(Runnable onRebound) {
    long hangsIn = files.reportIfHanging();
    if (hangsIn != LastingThread.FOREVER || System.nanoTime() - next < 0) {
      return hangsIn;
    }
    next = System.nanoTime() + upkeepNanos;
    files.execute("the check of " + socket.path(), () -> check(onRebound));
    return files.reportIfHanging();
  }

  private void check(Runnable onRebound) {
    boolean wasBound = socket.boundSinceMillis() != 0;
    boolean isRebound = false;
    try {
      isRebound = socket.rebindIfLost();
      if (isRebound) {
        onRebound.run();
        reboundLogger.warn(
            "The profiler socket "
                + socket.path()
                + " was deleted or replaced, and has been bound again. Messages sent in the meantime"
                + " are lost. Exclude its directory from the cleaning of temporary files");
      }
    } catch (IOException | RuntimeException e) {
      logger.warn("The profiler socket " + socket.path() + " cannot be bound again: " + e);
    } finally {
      schedule();
    }
    if (isRebound || wasBound != (socket.boundSinceMillis() != 0)) {
      onChange.run();
    }
  }
}
