/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.internal.delay.SamplesDelay;
import io.otelprofiling.correlation.internal.delay.SpanProcessors;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.processcontext.ProcessContext;
import io.otelprofiling.correlation.internal.threads.Retries;
import io.otelprofiling.correlation.internal.transport.Worker;

/**
 * Stops all parts in order. A step that fails does not prevent the next: it is logged and repeated,
 * because memory may be free again. Steps are numbers, so running them allocates nothing.
 */
final class StopSteps {
  private static final int STEPS = 6;

  private final LocalRootTracker tracker;
  private final SamplesDelay delay;
  private final SpanProcessors processors;
  private final ProcessContext processContext;
  private final WorkerTasks worker;
  private final PluginStatus status;
  private final RateLimitedLogger logger;
  private final Retries retries;
  private final Retries.Step step = this::run;

  StopSteps(
      LocalRootTracker tracker,
      SamplesDelay delay,
      SpanProcessors processors,
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
    this.retries = new Retries(e -> logger.warn("A part of profiling correlation did not stop", e));
  }

  /** Runs all steps. Never throws. */
  void run() {
    tracker.end();
    delay.deactivate();
    long begin = System.nanoTime();
    for (int number = 0; number < STEPS; number++) {
      boolean unused = retries.run(step, number, begin);
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
