/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.config.Switch;
import io.otelprofiling.correlation.internal.delay.DelayingSpanProcessor;
import io.otelprofiling.correlation.internal.delay.SampleReport;
import io.otelprofiling.correlation.internal.delay.SamplesDelay;
import io.otelprofiling.correlation.internal.delay.SpanProcessors;
import io.otelprofiling.correlation.internal.hostid.ProfilerHostId;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.processcontext.ProcessContext;
import io.otelprofiling.correlation.internal.protocol.MessageDecoder;
import io.otelprofiling.correlation.internal.telemetry.CorrelationCounts;
import io.otelprofiling.correlation.internal.telemetry.Counts;
import io.otelprofiling.correlation.internal.telemetry.OwnMetrics;
import io.otelprofiling.correlation.internal.telemetry.SampleMetric;
import io.otelprofiling.correlation.internal.threads.DaemonThread;
import io.otelprofiling.correlation.internal.transport.ProfilerSocket;
import io.otelprofiling.correlation.internal.transport.Worker;
import java.io.IOException;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The plug-in of one SDK. Builds and connects the parts, and starts and stops them in order, all or
 * none. Before the start and after the stop, its processors pass all spans on immediately.
 */
public final class Correlator implements ServedSdk.Plugin {
  private static final Logger logger = Logger.getLogger(Correlator.class.getName());

  private final CorrelationConfig config;
  private final Resource resource;
  private final ProfilerHostId hostId;
  private final ProcessContext processContext =
      new ProcessContext(CorrelationConfig.PROCESS_CONTEXT_ENABLED);
  private final SamplesDelay delay = new SamplesDelay();
  private final ProfilerMessages messages;
  private final MessageDecoder decoder;
  private final LocalRootTracker tracker;
  private final @Nullable SampleMetric sampleMetric;
  private final SpanProcessors processors;
  private final RateLimitedLogger stopLogger = new RateLimitedLogger(logger);
  private final StopSteps stopSteps;
  private final WorkerTasks afterMessages = new WorkerTasks();
  private final Counts counts;
  private final PluginStatus status;

  public Correlator(CorrelationConfig config, Resource resource) {
    this.config = config;
    this.resource = resource;
    this.hostId = ProfilerHostId.of(resource);
    this.messages =
        new ProfilerMessages(
            ProcessState.LOCAL_ROOTS,
            delay,
            hostId,
            config.maxStackTraceIds(),
            () -> processContext.update(hostId.addTo(resource)),
            this::statusAsked);
    this.decoder = new MessageDecoder(messages);
    this.tracker =
        new LocalRootTracker(
            ProcessState.LOCAL_ROOTS,
            config.profileIdAttribute(),
            ProcessState::contextStorageProblem,
            this::localRootSeen,
            this::stop);
    this.sampleMetric =
        config.samplesMetricAttributes().isEmpty()
            ? null
            : new SampleMetric(config.samplesMetricAttributes(), config.samplesPeriodSeconds());
    this.processors =
        new SpanProcessors(
            new SampleReport(config.samplesAttribute(), sampleMetric),
            ProcessState.LOCAL_ROOTS,
            delay,
            afterMessages,
            config.bufferSize(),
            CorrelationConfig.BUFFER_SIZE);
    this.counts =
        new Counts(
            decoder,
            messages::unknown,
            messages::dropped,
            ProcessState.LOCAL_ROOTS::displaced,
            processors.all());
    this.status =
        new PluginStatus(
            ProcessState.STATUS_FILE, config, resource, counts, delay, processContext, tracker);
    this.stopSteps =
        new StopSteps(
            tracker, delay, processors, processContext, afterMessages, status, stopLogger);
    ProcessState.setContextStorageWanted(!isOff());
    if (isOff()) {
      status.staysOff(config.disabledLevel(), config.disabledReason());
    }
  }

  /** Returns whether the settings turn the plug-in off. Callers then wrap nothing. */
  public boolean isOff() {
    return config.mode() == Switch.OFF;
  }

  /** Returns the host id announced by profilers. */
  public ProfilerHostId hostId() {
    return hostId;
  }

  /**
   * Wraps a processor before the start, so that it receives local root spans after their stack
   * traces have arrived.
   */
  public SpanProcessor delaying(SpanProcessor downstream) {
    return processors.delaying(downstream);
  }

  /** Wraps a processor while the plug-in runs, and starts the wrapper. */
  @Override
  public SpanProcessor delayingFromNowOn(SpanProcessor downstream) {
    DelayingSpanProcessor processor = processors.started(downstream);
    if (ServedSdk.RUNNING.get() != this) {
      processor.end(); // the plug-in has ended meanwhile, and may have missed this processor
    }
    return processor;
  }

  /**
   * Returns the processor that must see all spans of the SDK. The SDK must shut it down after the
   * delaying processors.
   */
  public LocalRootTracker tracker() {
    return tracker;
  }

  /** Returns a producer through which metric readers export the plug-in's counts. */
  public MetricProducer metrics() {
    OwnMetrics metrics = new OwnMetrics(resource, this::count);
    if (sampleMetric != null) {
      metrics.create(); // samples must count before the first collection
    }
    return metrics;
  }

  /** Registers the plug-in's counts with this meter provider. */
  public void count(MeterProvider meters) {
    CorrelationCounts.register(meters, counts, sampleMetric);
  }

  /**
   * Starts all parts. Never throws.
   *
   * @return false, after one log line, if the plug-in cannot run here; everything then stays off
   */
  public boolean start() {
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
    if (unsupported == null) {
      synchronized (ServedSdk.LOCK) {
        return startInPlace();
      }
    }
    // In auto mode, the jar may be on the class path of any platform.
    boolean wanted = config.mode() == Switch.ON;
    status.staysOff(wanted ? Level.WARNING : Level.FINE, unsupported);
    return false;
  }

  private boolean startInPlace() {
    if (!ServedSdk.take(this)) {
      ServedSdk.REFUSED.incrementAndGet();
      logger.log(
          Level.WARNING,
          "Profiling correlation serves one OpenTelemetry SDK per process, and already serves"
              + " another one. The SDK of service {0} runs without it.",
          ServiceStorage.name(resource));
      ServedSdk.Plugin running = ServedSdk.RUNNING.get();
      if (running != null) {
        running.otherSdkRefused();
      }
      return false;
    }
    try {
      startParts();
      return true;
    } catch (Throwable e) {
      String reason = StartFailure.log(e);
      stop().join(ServedSdk.MAX_STOP_SECONDS, TimeUnit.SECONDS);
      status.off(reason);
      return false;
    }
  }

  @Override
  public boolean isInUse() {
    return tracker.isInUse();
  }

  @Override
  public void otherSdkRefused() {
    afterMessages.execute(status::write);
  }

  private void startParts() throws IOException {
    ProcessPublication published = ProcessPublication.create(config, resource);
    ProfilerSocket socket = published.socket;
    Worker started = null;
    try {
      if (config.mode() == Switch.ON) {
        delay.activate(ProfilerMessages.DEFAULT_DELAY_NANOS);
      }
      started = new Worker(socket, decoder, processors::checkProgress, status::restore);
      started.start();
      afterMessages.use(started);
    } catch (Throwable e) {
      if (started == null) {
        socket.close();
      } else {
        started.stop();
      }
      throw e;
    }
    processors.start();
    ProcessState.setContextStorageWanted(true); // another SDK may have changed this
    OtelThreadContextSetup threadContexts = OtelThreadContextSetup.load(config);
    ProcessState.MIRROR.start(
        config.virtualThreadsEnabled(),
        CorrelationConfig.VIRTUAL_THREADS_ENABLED,
        threadContexts.attributes());
    String line = status.on(published, threadContexts);
    if (config.processContextEnabled()) {
      // The encoder leaves thread-locals behind, which must not stay on the caller's thread.
      afterMessages.execute(
          () ->
              processContext.publish(
                  hostId.addTo(resource), threadContexts.processContextAttributes()));
    }
    afterMessages.execute(status::started);
    logger.log(Level.INFO, "Profiling correlation is on: " + line);
  }

  /** While spans are delayed, the threads that release them have the files checked. */
  private void localRootSeen() {
    if (!delay.isActive()) {
      afterMessages.checkFilesIfDue();
    }
  }

  private void statusAsked(long nonce) {
    status.asked(nonce);
  }

  /** Stops all started parts. The result always completes. Never throws. */
  @Override
  public CompletableResultCode stop() {
    try {
      CompletableResultCode result = new CompletableResultCode();
      afterMessages.execute(() -> stopParts(result));
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
        processors.end(stopLogger);
        logger.log(
            Level.FINE,
            "Profiling correlation ends: {0} messages dropped, {1} for unknown spans",
            new Object[] {decoder.droppedMessages(), messages.unknown()});
      }
    } catch (Throwable e) {
      stopLogger.warn("Profiling correlation did not report its end", e);
    }
    if (result != null && afterMessages.worker() == null) {
      result.succeed();
    } else if (result != null) {
      succeedElsewhere(result);
    }
  }

  /**
   * Completes the result on a separate thread: its listeners may block, and the worker must not.
   */
  private void succeedElsewhere(CompletableResultCode result) {
    try {
      DaemonThread.create(result::succeed, "otel-profiling-stop").start();
    } catch (Throwable e) {
      stopLogger.warn("No thread could report that profiling correlation has stopped", e);
      result.succeed();
    }
  }
}
