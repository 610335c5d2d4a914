/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.internal.delay.DelayingSpanProcessors;
import io.otelprofiling.correlation.internal.delay.SamplesDelay;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.processcontext.ProcessContext;
import io.otelprofiling.correlation.internal.transport.Worker;

/**
 * The steps of an end, each of which runs although another one has failed. A step that fails is
 * logged and tried once more, as memory may be free again. Steps have numbers, so that running them
 * allocates nothing.
 */
final class StopSteps {
  private static final int TRIES = 2;
  private static final int STEPS = 6;

  private final LocalRootTracker tracker;
  private final SamplesDelay delay;
  private final DelayingSpanProcessors processors;
  private final ProcessContext processContext;
  private final WorkerTasks worker;
  private final PluginStatus status;
  private final RateLimitedLogger logger;

  StopSteps(
      LocalRootTracker tracker,
      SamplesDelay delay,
      DelayingSpanProcessors processors,
      ProcessContext processContext,
      WorkerTasks worker,
      PluginStatus status,
      RateLimitedLogger logger) {
    this.tracker = tracker;
    this.delay = delay;
    this.processors = processors;
    this.processContext = processContext;
    this.worker = worker;
    this.status = status;
    this.logger = logger;
  }

  /** Runs all steps. Never throws. */
  void run() {
    tracker.end();
    delay.deactivate();
    for (int number = 0; number < STEPS; number++) {
      for (int i = 0; i < TRIES && !succeeds(number); i++) {
        // Tried once more.
      }
    }
  }

  private boolean succeeds(int number) {
    try {
      run(number);
      return true;
    } catch (Throwable e) {
      logger.warn("A part of profiling correlation did not stop", e);
      return false;
    }
  }

  private void run(int number) {
    switch (number) {
      case 0:
        processors.end(logger);
        break;
      case 1:
        ProcessState.MIRROR.stop();
        break;
      case 2:
        processContext.withdraw();
        break;
      case 3:
        NativeLibrary.withdraw();
        break;
      case 4:
        // The socket is closed last, because another SDK of this process may then bind its path.
        Worker started = worker.worker();
        if (started != null) {
          started.stop();
        }
        break;
      default:
        status.stopped();
    }
  }
}
