/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.runtime;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.config.StatusProperty;
import io.flamespan.correlation.internal.config.Switch;
import io.flamespan.correlation.internal.delay.DelayingSpanProcessor;
import io.flamespan.correlation.internal.hostid.ProfilerHostId;
import io.flamespan.correlation.internal.localroot.LocalRootTracker;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Reason;
import io.flamespan.correlation.internal.log.Step;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import io.flamespan.correlation.internal.publication.OtelThreadContextSetup;
import io.flamespan.correlation.internal.publication.ProcessPublication;
import io.flamespan.correlation.internal.samples.EmbeddedSampling;
import io.flamespan.correlation.internal.samples.ExactTimes;
import io.flamespan.correlation.internal.samples.ProfilerMessages;
import io.flamespan.correlation.internal.samples.RecordedSpans;
import io.flamespan.correlation.internal.telemetry.OwnMetrics;
import io.flamespan.correlation.internal.threads.DaemonThread;
import io.flamespan.correlation.internal.transport.ProfilerSocket;
import io.flamespan.correlation.internal.transport.SocketUpkeep;
import io.flamespan.correlation.internal.transport.Worker;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * The plug-in of one SDK, and what it adds to the SDK. Its parts start and stop in order, all or
 * none: the thread that configures the SDK starts them, the worker stops them. Before the start and
 * after the stop, its processors pass all spans on immediately.
 */
public final class Correlator {
  /** The log line of a plug-in that does not run, with a place for the reason. */
  private static final String OFF = "Flamespan is off: {0}.";

  // The worker publishes the process context later, and reports a failure itself.
  private static final String LOGGED =
      "mode socket library version service state thread.contexts virtual.threads context.storage"
          + " context.storage.problem process.context";

  private static final int TRIES = 4; // of each step of a stop
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long MAX_WAIT_FOR_FILES_MILLIS = 1_000;

  final Parts parts;
  private final RateLimitedLogger stopLogger = new RateLimitedLogger(Correlator.class);
  private final CompletableResultCode stopped = new CompletableResultCode();
  // Linked here, which needs memory.
  private final Step start = this::startAll;
  private final Step stopAfterMessages = this::stopAfterMessages;
  private final Runnable stopParts = this::stopParts;
  private final Step report = this::succeedElsewhere;
  private final Step succeed = stopped::succeed;
  private final Step[] stopSteps;

  // Null if the SDK does not depend on a configuration that may fail.
  private volatile @Nullable WeakReference<Thread> configuredBy;
  private boolean isForEmbeddedProfiler;

  private Correlator(CorrelationConfig config, Resource resource) {
    this.parts = new Parts(config, resource);
    this.stopSteps =
        new Step[] {
          parts.tracker::end,
          this::stopEmbeddedProfiler, // spans wait for what it has sampled
          ExactTimes::end,
          parts.delay::deactivate,
          parts.processors::end,
          ProcessState.MIRROR::stop,
          parts.processContext::withdraw,
          NativeLibrary::withdraw,
          // The socket is closed late, because another SDK of this process may then bind its path.
          this::closeSocket,
          this::deleteSocket,
          parts.status::stopped,
          this::leave
        };
  }

  /**
   * Returns the plug-in of one SDK, or null if the settings turn it off. Callers then wrap nothing.
   * Reports why it is off, in the log and as a system property. Where the user has chosen that, it
   * loads none of the parts.
   */
  public static @Nullable Correlator unlessOff(CorrelationConfig config, Resource resource) {
    boolean on = config.mode() != Switch.OFF;
    SharedContextStorage.setWanted(on);
    if (config.isDisabled()) {
      StatusProperty.showOff(config.disabledReason());
      Trouble.log(Correlator.class, Level.FINE, OFF, config.disabledReason());
      return null;
    }
    Correlator correlator = new Correlator(config, resource);
    correlator.parts.tracker.onShutdown(correlator::stop);
    if (!on) {
      correlator.staysOff(config.disabledLevel(), config.disabledReason());
    }
    return on ? correlator : null;
  }

  /** Returns the host id announced by profilers. */
  public ProfilerHostId hostId() {
    return parts.hostId;
  }

  /**
   * Wraps a processor before the start, so that it receives local root spans after their stack
   * traces have arrived.
   *
   * @param queueSize the size of the processor's queue, or 0 if it is not known
   */
  public SpanProcessor delaying(SpanProcessor downstream, int queueSize) {
    return parts.processors.delaying(downstream, queueSize);
  }

  /** Wraps a processor while the plug-in runs, and starts the wrapper. */
  public SpanProcessor delayingFromNowOn(SpanProcessor downstream) {
    DelayingSpanProcessor processor = parts.processors.started(downstream);
    if (ServedSdk.RUNNING.get() != this) {
      processor.passOnDue(); // the plug-in has ended meanwhile, and may have missed this processor
    }
    parts.status.countsChanged();
    return processor;
  }

  /**
   * Returns the processor that must see all spans of the SDK. The SDK must shut it down after the
   * delaying processors.
   */
  public LocalRootTracker tracker() {
    return parts.tracker;
  }

  /** Returns a producer through which metric readers export the plug-in's counts. */
  public MetricProducer metrics() {
    OwnMetrics metrics = new OwnMetrics(parts.resource, this::count);
    if (parts.sampleMetric != null) {
      metrics.create(); // samples must count before the first collection
    }
    return metrics;
  }

  /** Registers the plug-in's counts with this meter provider. */
  public void count(MeterProvider meters) {
    parts.counts.register(meters, parts.sampleMetric);
  }

  /** Makes {@link #start} start no part that profilers of the host can see, as nobody wants it. */
  public void serveEmbeddedProfilerOnly() {
    isForEmbeddedProfiler = true;
    if (parts.embedded != null) {
      parts.embedded.serveTool();
    }
  }

  /**
   * Starts all parts. The plug-in then serves its SDK until {@link #stop}.
   *
   * @return false, after one log line, if the plug-in cannot run here; everything then stays off
   */
  public boolean start() {
    // A security manager may deny this to the application's code.
    return AccessController.doPrivileged((PrivilegedAction<Boolean>) this::startIfSupported);
  }

  /**
   * Like {@link #start}, for an SDK that the calling thread is configuring. If that fails before
   * the tracer provider is built, the next SDK that starts takes over.
   */
  public boolean startDuringConfiguration() {
    configuredBy = new WeakReference<>(Thread.currentThread());
    return start();
  }

  /** See {@link EmbeddedSampling#awaitStart}. Returns false if the settings want no profiler. */
  public boolean awaitEmbeddedProfiler(long millis) {
    EmbeddedSampling embedded = parts.embedded;
    return embedded != null && embedded.awaitStart(millis);
  }

  /**
   * Returns a further processor for all spans of the SDK, which may do nothing. Belongs before
   * {@link #tracker}.
   */
  public SpanProcessor recorder() {
    return RecordedSpans.processor(parts.config, parts.embedded);
  }

  /** Makes the started plug-in follow the spans of the provider that this builder builds. */
  public void follow(SdkTracerProviderBuilder tracing) {
    boolean followed = false;
    try {
      // The SDK asks several processors what they require when it builds the provider, and a single
      // one later. So there are two even if the first one does nothing.
      tracing.addSpanProcessor(recorder()).addSpanProcessor(parts.tracker);
      followed = true;
    } finally {
      if (!followed) {
        CompletableResultCode unused = stop(); // nothing else would
      }
    }
  }

  private boolean startIfSupported() {
    String unsupported = NativeLibrary.unsupportedReason();
    if (unsupported == null || parts.embedded != null) {
      synchronized (ServedSdk.LOCK) {
        return startInPlace();
      }
    }
    // In auto mode, the jar may be on the class path of any platform.
    boolean wanted = parts.config.mode() == Switch.ON;
    staysOff(wanted ? Level.WARNING : Level.FINE, unsupported);
    return false;
  }

  private boolean startInPlace() {
    if (!ServedSdk.take(this)) {
      ServedSdk.refuse(this);
      return false;
    }
    Throwable failure = start.failure();
    if (failure != null) {
      String reason = logFailure(failure);
      stop().join(ServedSdk.MAX_STOP_SECONDS, TimeUnit.SECONDS);
      parts.status.off(reason);
    }
    return failure == null;
  }

  private void startAll() throws Exception {
    String unsupported =
        isForEmbeddedProfiler ? "nothing else is wanted" : NativeLibrary.unsupportedReason();
    if (unsupported == null) {
      startParts();
    } else {
      startForEmbeddedProfiler(unsupported);
    }
    ExactTimes.begin(parts.config.get(Settings.SPAN_TIMES));
    if (parts.embedded != null) {
      parts.embedded.begin();
    }
  }

  /** Logs why the plug-in could not start, and returns it without a full stop. */
  private static String logFailure(Throwable e) {
    String reason = knownReason(e);
    if (reason == null) {
      Trouble.warn(Correlator.class, "Flamespan is off", e);
      return e.toString();
    }
    Trouble.warn(Correlator.class, OFF, reason);
    Trouble.log(Correlator.class, Level.FINE, "Flamespan is off", e);
    return reason;
  }

  /** Returns the reason with a remedy, or null if there is none. */
  private static @Nullable String knownReason(Throwable e) {
    if (e instanceof IOException) {
      return Reason.of(e);
    }
    if (e instanceof OutOfMemoryError && String.valueOf(e.getMessage()).contains("native thread")) {
      return "the system cannot create a thread ("
          + e.getMessage()
          + "). Raise the limit of threads: ulimit -u, or pids.max of the container";
    }
    return null;
  }

  /** Logs that the plug-in does not run, and reports it unless another plug-in does. */
  private void staysOff(Level level, String why) {
    Trouble.log(Correlator.class, level, OFF, why);
    synchronized (ServedSdk.LOCK) {
      if (ServedSdk.RUNNING.get() == null) {
        parts.status.off(why);
      }
    }
  }

  /**
   * Returns whether the configuration of its SDK has failed after the plug-in had started, so that
   * nobody will ever stop it.
   *
   * <p>One thread configures an SDK. If that thread is elsewhere by now, and nobody has built a
   * provider with the tracker, then nobody will.
   */
  boolean isAbandoned() {
    WeakReference<Thread> configuring = configuredBy;
    if (configuring == null) {
      return false;
    }
    Thread thread = configuring.get();
    boolean isOver = thread == null || thread == Thread.currentThread() || !isConfiguring(thread);
    return isOver && !parts.tracker.isInUse(); // in this order
  }

  private static boolean isConfiguring(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getClassName().endsWith(".AutoConfiguredOpenTelemetrySdkBuilder")) {
        return true;
      }
    }
    return false;
  }

  private void startParts() throws Exception {
    ProcessPublication published =
        ProcessState.FILES.call(
            "the start of Flamespan",
            () -> ProcessPublication.create(parts.config, parts.resource, ProcessState.FILES),
            ProcessPublication::undo);
    ProfilerSocket socket = published.socket;
    parts.socket = socket;
    ProcessState.AT_EXIT.begin(socket.path());
    if (parts.config.mode() == Switch.ON) {
      parts.delay.activate(ProfilerMessages.DEFAULT_DELAY_NANOS);
    }
    Runnable countsChanged = parts.status::countsChanged;
    Worker worker =
        new Worker(
            socket,
            parts.decoder,
            new SocketUpkeep(socket, ProcessState.FILES, parts.status::changed),
            countsChanged);
    worker.start();
    parts.afterMessages.use(worker, countsChanged); // cannot fail: from here on, stop ends it
    parts.processors.start();
    followContexts();
    OtelThreadContextSetup threadContexts = published.threadContexts;
    ProcessState.MIRROR.start(
        parts.config.get(Settings.VIRTUAL_THREADS_ENABLED), threadContexts.attributes);
    parts.statusOfParts.published(published);
    parts.status.on();
    String line = parts.status.line(LOGGED);
    if (parts.config.get(Settings.PROCESS_CONTEXT_ENABLED)) {
      // The encoder leaves thread-locals behind, which must not stay on the caller's thread.
      parts.afterMessages.execute(
          () ->
              parts.processContext.publish(
                  parts.hostId.addTo(parts.resource), threadContexts.processContextAttributes));
    }
    Trouble.listen(ServedSdk::statusChanged);
    parts.afterMessages.execute(parts.status::started);
    Trouble.log(Correlator.class, Level.INFO, "Flamespan is on: " + line);
  }

  /** Starts what a profiler in this process needs where profilers of the host cannot see it. */
  private void startForEmbeddedProfiler(String unsupported) {
    parts.processors.start();
    followContexts();
    ProcessState.MIRROR.startWithoutRecords();
    parts.status.on();
    Trouble.listen(ServedSdk::statusChanged);
    parts.status.started();
    Trouble.log(
        Correlator.class,
        isForEmbeddedProfiler ? Level.FINE : Level.INFO,
        "Flamespan is on for the embedded profiler only: {0}.",
        unsupported);
  }

  private void followContexts() {
    SharedContextStorage.WRAPPER.begin(parts.config.get(Settings.CONTEXT_STORAGE_TRUSTED));
  }

  /** Stops all started parts. The result always completes. Never throws. */
  public CompletableResultCode stop() {
    if (!stopLogger.attempt("Flamespan did not wait for its worker to stop", stopAfterMessages)) {
      stopParts();
    }
    return stopped;
  }

  private void stopAfterMessages() {
    parts.afterMessages.execute(stopParts);
  }

  private void stopParts() {
    if (ServedSdk.RUNNING.get() == this) {
      for (Step step : stopSteps) {
        run(step);
      }
    }
    if (parts.afterMessages.worker() == null
        || !stopLogger.attempt("No thread could report that Flamespan has stopped", report)) {
      run(succeed);
    }
  }

  /** A step that fails does not prevent the next: memory may be free again when it is repeated. */
  private void run(Step step) {
    for (int tries = 1; tries <= TRIES; tries++) {
      if (stopLogger.attempt("A part of Flamespan did not stop", step)) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void stopEmbeddedProfiler() {
    if (parts.embedded != null) {
      parts.embedded.stop();
    }
  }

  private void closeSocket() throws IOException {
    Worker worker = parts.afterMessages.worker();
    ProfilerSocket socket = parts.socket;
    if (worker != null) {
      worker.stop();
    } else if (socket != null) {
      socket.close();
    }
  }

  private void deleteSocket() {
    ProfilerSocket socket = parts.socket;
    if (socket != null) {
      ProcessState.FILES.execute("deleting " + socket.path(), socket::deleteFile);
      ProcessState.AT_EXIT.end();
    }
  }

  private void leave() {
    SharedContextStorage.WRAPPER.end();
    ServedSdk.RUNNING.compareAndSet(this, null);
    parts.processors.end(); // some may have been added meanwhile
    Trouble.log(
        Correlator.class,
        Level.FINE,
        "Flamespan ends: {0} invalid messages, {1} for unknown local root spans",
        parts.decoder.invalidMessages(),
        parts.messages.unknown());
  }

  /**
   * Completes the result on a separate thread, after the files were deleted: its listeners may
   * block, as file systems may, and the worker must not.
   */
  private void succeedElsewhere() {
    DaemonThread.create(this::succeedAfterFiles, "flamespan-stop").start();
  }

  private void succeedAfterFiles() {
    try {
      boolean unused = ProcessState.FILES.await(MAX_WAIT_FOR_FILES_MILLIS);
    } finally {
      run(succeed);
    }
  }
}
