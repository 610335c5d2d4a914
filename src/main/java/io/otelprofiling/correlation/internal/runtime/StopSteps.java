/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.threads.Retries;
import io.otelprofiling.correlation.internal.transport.ProfilerSocket;
import io.otelprofiling.correlation.internal.transport.Worker;

/**
 * Stops all parts in order. A step that fails does not prevent the next: it is logged and repeated,
 * because memory may be free again. Steps are numbers, so running them allocates nothing.
 */
final class StopSteps {
  private static final int STEPS = 7;

  private final Parts parts;
  private final RateLimitedLogger logger;
  private final Retries retries;
  private final Retries.Step step = this::run;

  StopSteps(Parts parts, RateLimitedLogger logger) {
    this.parts = parts;
    this.logger = logger;
    this.retries = new Retries(e -> logger.warn("A part of profiling correlation did not stop", e));
  }

  /** Runs all steps. Never throws. */
  void run() {
    parts.tracker.end();
    if (parts.embedded != null) {
      parts.embedded.stop(); // first: spans wait for what it has sampled
    }
    parts.delay.deactivate();
    long begin = System.nanoTime();
    for (int number = 0; number < STEPS; number++) {
      boolean unused = retries.run(step, number, begin);
    }
  }

  private void run(int number) {
    switch (number) {
      case 0:
        parts.processors.end(logger);
        break;
      case 1:
        ProcessState.MIRROR.stop();
        break;
      case 2:
        parts.processContext.withdraw();
        break;
      case 3:
        NativeLibrary.withdraw();
        break;
      case 4:
        // The socket is closed last, because another SDK of this process may then bind its path.
        Worker started = parts.afterMessages.worker();
        if (started != null) {
          started.stop();
        }
        break;
      case 5:
        ProfilerSocket socket = parts.socket;
        if (socket != null) {
          ProcessState.FILES.execute("deleting " + socket.path(), socket::deleteFile);
          ProcessState.AT_EXIT.end();
        }
        break;
      default:
        parts.status.stopped();
    }
  }
}
