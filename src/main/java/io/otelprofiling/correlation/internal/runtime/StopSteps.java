/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.transport.ProfilerSocket;
import io.otelprofiling.correlation.internal.transport.Worker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops all parts in order. A step that fails does not prevent the next: it is logged, and repeated
 * a few times, because memory may be free again.
 */
final class StopSteps {
  private static final int TRIES = 4;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Parts parts;
  private final RateLimitedLogger logger;
  private final Runnable[] steps; // linked at the start, which needs memory

  StopSteps(Parts parts, RateLimitedLogger logger) {
    this.parts = parts;
    this.logger = logger;
    this.steps =
        new Runnable[] {
          parts.processors::end,
          ProcessState.MIRROR::stop,
          parts.processContext::withdraw,
          NativeLibrary::withdraw,
          // The socket is closed late, because another SDK of this process may then bind its
          // path.
          this::stopWorker,
          this::deleteSocket,
          parts.status::stopped
        };
  }

  /** Runs all steps. */
  void run() {
    parts.tracker.end();
    if (parts.embedded != null) {
      parts.embedded.stop(); // first: spans wait for what it has sampled
    }
    parts.delay.deactivate();
    for (Runnable step : steps) {
      run(step);
    }
  }

  private void run(Runnable step) {
    for (int tries = 1; tries <= TRIES; tries++) {
      try {
        step.run();
        return;
      } catch (Throwable e) {
        logger.warn("A part of profiling correlation did not stop", e);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void stopWorker() {
    Worker started = parts.afterMessages.worker();
    if (started != null) {
      started.stop();
    }
  }

  private void deleteSocket() {
    ProfilerSocket socket = parts.socket;
    if (socket != null) {
      ProcessState.FILES.execute("deleting " + socket.path(), socket::deleteFile);
      ProcessState.AT_EXIT.end();
    }
  }
}
