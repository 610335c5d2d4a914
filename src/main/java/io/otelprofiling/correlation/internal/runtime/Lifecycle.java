/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.config.Switch;
import io.otelprofiling.correlation.internal.delay.DelayingSpanProcessor;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.log.Trouble;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.threads.DaemonThread;
import io.otelprofiling.correlation.internal.transport.ProfilerSocket;
import io.otelprofiling.correlation.internal.transport.SocketUpkeep;
import io.otelprofiling.correlation.internal.transport.Worker;
import java.lang.ref.WeakReference;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops the parts of one SDK's plug-in in order, all or none. The thread that configures
 * the SDK starts them, the worker stops them.
 */
final class Lifecycle implements ServedSdk.Plugin {
  private static final Logger logger = Logger.getLogger(Correlator.class.getName());

  private static final long MAX_WAIT_FOR_FILES_MILLIS = 1_000;

  final Parts parts;
  private final RateLimitedLogger stopLogger = new RateLimitedLogger(logger);
  private final StopSteps stopSteps;

  // Null if the SDK does not depend on a configuration that may fail.
  private volatile @Nullable WeakReference<Thread> configuredBy;

  Lifecycle(Parts parts) {
    this.parts = parts;
    this.stopSteps = new StopSteps(parts, stopLogger);
  }

  /** See {@link Correlator#startDuringConfiguration}. */
  boolean startDuringConfiguration() {
    configuredBy = new WeakReference<>(Thread.currentThread());
    return start();
  }

  /** See {@link Correlator#start}. */
  boolean start() {
    try {
      // A security manager may deny this to the application's code.
      return AccessController.doPrivileged((PrivilegedAction<Boolean>) this::startIfSupported);
    } catch (Throwable e) {
      StartFailure.log(e);
      return false;
    }
  }

  private boolean startIfSupported() {
    String unsupported = NativeLibrary.unsupportedReason();
    if (unsupported == null || parts.embedded != null) {
      synchronized (ServedSdk.LOCK) {
        return startInPlace(unsupported);
      }
    }
    // In auto mode, the jar may be on the class path of any platform.
    boolean wanted = parts.config.mode() == Switch.ON;
    parts.status.staysOff(wanted ? Level.WARNING : Level.FINE, unsupported);
    return false;
  }

  private boolean startInPlace(@Nullable String unsupported) {
    if (!ServedSdk.take(this)) {
      ServedSdk.refuse(this);
      return false;
    }
    try {
      if (unsupported == null) {
        startParts();
      } else {
        startForEmbeddedProfiler(unsupported);
      }
      if (parts.embedded != null) {
        parts.embedded.begin();
      }
      return true;
    } catch (Throwable e) {
      String reason = StartFailure.log(e);
      stop().join(ServedSdk.MAX_STOP_SECONDS, TimeUnit.SECONDS);
      parts.status.off(reason);
      return false;
    }
  }

  @Override
  public String service() {
    return ServiceStorage.name(parts.resource);
  }

  @Override
  public boolean isInUse() {
    return parts.tracker.isInUse();
  }

  /**
   * {@inheritDoc}
   *
   * <p>One thread configures an SDK. If that thread is elsewhere by now, and nobody has built a
   * provider with the tracker, then nobody will.
   */
  @Override
  public boolean isAbandoned() {
    WeakReference<Thread> configuring = configuredBy;
    if (configuring == null) {
      return false;
    }
    Thread thread = configuring.get();
    boolean isOver = thread == null || thread == Thread.currentThread() || !isConfiguring(thread);
    return isOver && !isInUse(); // in this order
  }

  private static boolean isConfiguring(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getClassName().endsWith(".AutoConfiguredOpenTelemetrySdkBuilder")) {
        return true;
      }
    }
    return false;
  }

  @Override
  public SpanProcessor delayingFromNowOn(SpanProcessor downstream) {
    DelayingSpanProcessor processor = parts.processors.started(downstream);
    if (ServedSdk.RUNNING.get() != this) {
      processor.end(); // the plug-in has ended meanwhile, and may have missed this processor
    }
    parts.status.countsChanged();
    return processor;
  }

  @Override
  public void statusChanged() {
    parts.status.changed();
  }

  private void startParts() throws Exception {
    ProcessPublication published =
        ProcessState.FILES.call(
            "the start of profiling correlation",
            () -> ProcessPublication.create(parts.config, parts.resource),
            ProcessPublication::undo);
    ProfilerSocket socket = published.socket;
    parts.socket = socket;
    ProcessState.AT_EXIT.begin(socket.path());
    Worker started = null;
    try {
      if (parts.config.mode() == Switch.ON) {
        parts.delay.activate(ProfilerMessages.DEFAULT_DELAY_NANOS);
      }
      started =
          new Worker(
              socket,
              parts.decoder,
              new SocketUpkeep(socket, ProcessState.FILES, parts.status::changed),
              parts.status::countsChanged);
      started.start();
      parts.afterMessages.use(started, parts.status::countsChanged);
    } catch (Throwable e) {
      if (started == null) {
        socket.close();
      } else {
        started.stop();
      }
      throw e;
    }
    parts.processors.start();
    followContexts();
    OtelThreadContextSetup threadContexts = published.threadContexts;
    ProcessState.MIRROR.start(
        parts.config.virtualThreadsEnabled(),
        CorrelationConfig.VIRTUAL_THREADS_ENABLED,
        threadContexts.attributes());
    String line = parts.status.on(published);
    if (parts.config.processContextEnabled()) {
      // The encoder leaves thread-locals behind, which must not stay on the caller's thread.
      parts.afterMessages.execute(
          () ->
              parts.processContext.publish(
                  parts.hostId.addTo(parts.resource), threadContexts.processContextAttributes()));
    }
    Trouble.listen(ServedSdk::statusChanged);
    parts.afterMessages.execute(parts.status::started);
    logger.log(Level.INFO, "Profiling correlation is on: " + line);
  }

  /** Starts what a profiler in this process needs where profilers of the host cannot see it. */
  private void startForEmbeddedProfiler(String unsupported) {
    parts.processors.start();
    followContexts();
    ProcessState.MIRROR.startWithoutRecords();
    parts.status.onForEmbeddedProfiler();
    Trouble.listen(ServedSdk::statusChanged);
    parts.status.started();
    logger.log(
        Level.INFO,
        "Profiling correlation is on for the embedded profiler only: {0}.",
        unsupported);
  }

  private void followContexts() {
    SharedContextStorage.setWanted(true); // another SDK may have changed this
    SharedContextStorage.trust(parts.config.trustedContextStorages());
  }

  @Override
  public CompletableResultCode stop() {
    try {
      CompletableResultCode result = new CompletableResultCode();
      parts.afterMessages.execute(() -> stopParts(result));
      return result;
    } catch (Throwable e) {
      stopLogger.warn("Profiling correlation did not wait for its worker to stop", e);
      stopParts(null);
      return CompletableResultCode.ofFailure();
    }
  }

  private void stopParts(@Nullable CompletableResultCode result) {
    try {
      if (ServedSdk.RUNNING.get() == this) {
        stopSteps.run();
        ServedSdk.RUNNING.set(null);
        // Processors may have been added meanwhile.
        parts.processors.end(stopLogger);
        logger.log(
            Level.FINE,
            "Profiling correlation ends: {0} invalid messages, {1} for unknown local root spans",
            new Object[] {parts.decoder.invalidMessages(), parts.messages.unknown()});
      }
    } catch (Throwable e) {
      stopLogger.warn("Profiling correlation did not report its end", e);
    }
    if (result != null && parts.afterMessages.worker() == null) {
      result.succeed();
    } else if (result != null) {
      succeedElsewhere(result);
    }
  }

  /**
   * Completes the result on a separate thread, after the files were deleted: its listeners may
   * block, as file systems may, and the worker must not.
   */
  private void succeedElsewhere(CompletableResultCode result) {
    try {
      DaemonThread.create(() -> succeedAfterFiles(result), "otel-profiling-stop").start();
    } catch (Throwable e) {
      stopLogger.warn("No thread could report that profiling correlation has stopped", e);
      result.succeed();
    }
  }

  private void succeedAfterFiles(CompletableResultCode result) {
    try {
      boolean unused = ProcessState.FILES.await(MAX_WAIT_FOR_FILES_MILLIS);
    } catch (Throwable e) {
      stopLogger.warn("Profiling correlation did not wait until its files were deleted", e);
    }
    result.succeed();
  }
}
