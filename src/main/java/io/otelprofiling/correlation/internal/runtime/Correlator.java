/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.ProfilingCorrelation;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.transport.Worker;
import io.otelprofiling.correlation.internal.protocol.MessageDecoder;
import io.otelprofiling.correlation.internal.transport.ProfilerSocket;
import io.otelprofiling.correlation.internal.config.ActivationMode;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.context.ContextMirror;
import io.otelprofiling.correlation.internal.context.MirroringContextStorage;
import io.otelprofiling.correlation.internal.hostid.ProfilerHostId;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.processcontext.ProcessContext;
import io.otelprofiling.correlation.internal.delay.DelayingSpanProcessor;
import io.otelprofiling.correlation.internal.delay.Delaying;
import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;
import io.otelprofiling.correlation.internal.localroot.LocalRootTracker;
import io.otelprofiling.correlation.internal.delay.SamplesDelay;
import io.otelprofiling.correlation.internal.telemetry.CorrelationCounts;
import io.otelprofiling.correlation.internal.threads.DaemonThread;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The plug-in of one SDK: builds the parts, connects them, starts and stops them in order, all of
 * them or none. Until it is started, and after it was stopped, its processors let all spans pass.
 */
final class Correlator {
  private static final Logger logger = Logger.getLogger(ProfilingCorrelation.class.getName());

  private static final AttributeKey<String> HOST_ID = AttributeKey.stringKey("host.id");

  // Spans that come due within that time are handed over together: two threads wake up for it.
  private static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long MAX_STOP_SECONDS = 10;

  // Profilers see one socket path and one record per thread: these are the process's, not an SDK's.
  private static final LocalRootSpans LOCAL_ROOTS = new LocalRootSpans();
  private static final ContextMirror MIRROR = new ContextMirror(LOCAL_ROOTS);
  private static final AtomicReference<@Nullable Correlator> RUNNING = new AtomicReference<>();

  static {
    MirroringContextStorage.register(MIRROR);
  }

  private final CorrelationConfig config;
  private final Resource resource;
  private final ProfilerHostId hostId;
  private final ProcessContext processContext = new ProcessContext();
  private final SamplesDelay delay = new SamplesDelay();
  private final ProfilerMessages messages;
  private final MessageDecoder decoder;
  private final LocalRootTracker tracker =
      new LocalRootTracker(LOCAL_ROOTS, MirroringContextStorage::problem, this::stop);
  private final List<DelayingSpanProcessor> processors = new CopyOnWriteArrayList<>();
  private final RateLimitedLogger stopLogger = new RateLimitedLogger(logger);
  private final Worker worker = new Worker();
  private volatile @Nullable Worker channel;
  private boolean spansWaited; // of the channel's thread

  Correlator(CorrelationConfig config, Resource resource) {
    this.config = config;
    this.resource = resource;
    this.hostId = new ProfilerHostId(resource.getAttribute(HOST_ID));
    this.messages =
        new ProfilerMessages(
            LOCAL_ROOTS,
            delay,
            hostId,
            config.maxStackTraceIds(),
            id -> processContext.update(hostId.addTo(resource)));
    this.decoder = new MessageDecoder(messages);
    MirroringContextStorage.setWanted(!isOff()); // no effect once a context was used
  }

  /** Registers the wrapper of the context storage by loading this class. */
  static void registerContextStorage() {
    // The static initializer has done it.
  }

  /** Returns what makes delaying processors, if a plug-in runs for the SDK of this local root. */
  static @Nullable UnaryOperator<SpanProcessor> serving(ReadableSpan localRoot) {
    Correlator running = RUNNING.get();
    return running != null && LOCAL_ROOTS.itself(localRoot.getSpanContext()) != null
        ? running::delayingFromNowOn
        : null;
  }

  /** Returns whether the settings switch it off: then all that is given is given back as it is. */
  boolean isOff() {
    return config.mode() == ActivationMode.FALSE;
  }

  Resource resource() {
    return resource;
  }

  /** Returns the host id of profilers, or null where exports need none. */
  @Nullable ProfilerHostId missingHostId() {
    return !isOff() && hostId.isMissing() ? hostId : null;
  }

  /** Wraps a processor so that it gets local root spans when their stack traces have arrived. */
  SpanProcessor delaying(SpanProcessor downstream) {
    if (downstream instanceof Delaying) {
      return downstream;
    }
    DelayingSpanProcessor processor = newProcessor(downstream);
    processors.add(processor);
    return Delaying.withOnEnding(processor, downstream);
  }

  /** Does the same while the plug-in runs. */
  SpanProcessor delayingFromNowOn(SpanProcessor downstream) {
    DelayingSpanProcessor processor = newProcessor(downstream);
    processor.start();
    processors.add(processor);
    if (RUNNING.get() != this) {
      processor.end(); // the plug-in has ended meanwhile, and may not have seen this one
    }
    return processor;
  }

  private DelayingSpanProcessor newProcessor(SpanProcessor downstream) {
    return new DelayingSpanProcessor(
        downstream, LOCAL_ROOTS, delay, worker, config.bufferSize(), System::nanoTime);
  }

  /**
   * Returns the processor that has to see all spans of the SDK, and is to be shut down after the
   * delaying ones.
   */
  LocalRootTracker tracker() {
    return tracker;
  }

  /** Makes these meters show what the plug-in counts. */
  void count(MeterProvider meters) {
    CorrelationCounts.register(
        meters, decoder, messages::unknown, messages::dropped, LOCAL_ROOTS::displaced, processors);
  }

  /**
   * Starts all parts. Never throws.
   *
   * @return false, after one log line, if that is not possible here: everything stays switched off
   */
  boolean start() {
    String unsupported = NativeLibrary.unsupportedReason();
    if (unsupported != null) {
      // In auto mode the jar may lie on class paths of every platform.
      Level level = config.mode() == ActivationMode.TRUE ? Level.WARNING : Level.FINE;
      logger.log(level, "Profiling correlation is off: {0}.", unsupported);
      return false;
    }
    synchronized (RUNNING) {
      return startInPlace();
    }
  }

  private boolean startInPlace() {
    if (!takePlace()) {
      logger.log(
          Level.WARNING,
          "Profiling correlation serves one OpenTelemetry SDK of a process, and another one has"
              + " it: this one, of service {0}, goes without.",
          ServiceStorage.name(resource));
      return false;
    }
    try {
      startParts();
      return true;
    } catch (Throwable e) {
      stop().join(MAX_STOP_SECONDS, TimeUnit.SECONDS);
      StartFailure.tell(e);
      return false;
    }
  }

  private boolean takePlace() {
    if (RUNNING.compareAndSet(null, this)) {
      return true;
    }
    Correlator other = RUNNING.get();
    if (other == null || other == this || other.tracker.isInUse()) {
      return false;
    }
    // The configuration of its SDK failed after it was started.
    other.stop().join(MAX_STOP_SECONDS, TimeUnit.SECONDS);
    return RUNNING.compareAndSet(null, this);
  }

  private void startParts() throws IOException {
    ProcessPublication published = ProcessPublication.create(config, resource);
    ProfilerSocket socket = published.socket;
    try {
      if (config.mode() == ActivationMode.TRUE) {
        delay.activate(ProfilerMessages.DEFAULT_DELAY_NANOS);
      }
      Worker thread = new Worker(socket, decoder, this::releaseDue);
      thread.start();
      channel = thread;
    } catch (Throwable e) {
      socket.close();
      throw e;
    }
    processors.forEach(DelayingSpanProcessor::start);
    MIRROR.start(config.virtualThreadsEnabled());
    if (config.processContextEnabled()) {
      // Its encoder leaves thread-locals behind, which are not to stay on the caller's thread.
      worker.execute(() -> processContext.publish(hostId.addTo(resource)));
    }
    logger.log(
        Level.INFO,
        "Profiling correlation is on: mode {0}, socket {1}, library {2}",
        new Object[] {
          config.mode().name().toLowerCase(Locale.ROOT), socket.path(), published.library
        });
  }

  /** Stops all parts that were started. The result completes in any case; never throws. */
  CompletableResultCode stop() {
    CompletableResultCode result = new CompletableResultCode();
    Runnable task =
        () -> {
          try {
            stopParts();
          } finally {
            succeedElsewhere(result);
          }
        };
    try {
      worker.execute(task);
    } catch (Throwable e) {
      stopLogger.warn("Profiling correlation did not stop", e);
      result.fail();
    }
    return result;
  }

  /** Those who wait for a result may do anything when it completes, so not on the worker. */
  private void succeedElsewhere(CompletableResultCode result) {
    try {
      DaemonThread.create(result::succeed, "otel-profiling-stop").start();
    } catch (Throwable e) {
      stopLogger.warn("There is no thread to say that profiling correlation has stopped", e);
      result.succeed();
    }
  }

  private void stopParts() {
    if (RUNNING.get() != this) {
      return;
    }
    tracker.end();
    alone(delay::deactivate);
    processors.forEach(processor -> alone(processor::end));
    alone(MIRROR::stop);
    alone(processContext::withdraw);
    alone(NativeLibrary::withdraw);
    // Last, because another SDK of this process may then bind the same path.
    Worker thread = channel;
    if (thread != null) {
      alone(thread::stop);
    }
    RUNNING.set(null);
    // One that joined meanwhile.
    processors.forEach(processor -> alone(processor::end));
    logger.log(
        Level.FINE,
        "Profiling correlation ends: {0} messages dropped, {1} for unknown spans",
        new Object[] {decoder.droppedMessages(), messages.unknown()});
  }

  /** A step that fails must not keep the others from being taken. */
  private void alone(Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      stopLogger.warn("A part of profiling correlation did not stop", e);
    }
  }

  private long releaseDue() {
    long wait = DelayingSpanProcessor.EMPTY;
    for (DelayingSpanProcessor processor : processors) {
      wait = Math.min(wait, processor.releaseDue());
    }
    // A span that ends from now on is due after the delay, and does not wake a thread that waits
    // for something else.
    long untilNextSpan = Math.max(delay.nanos(), MIN_WAIT_NANOS);
    if (wait != DelayingSpanProcessor.EMPTY) {
      spansWaited = true;
      long noLater = delay.isActive() ? Math.min(wait, untilNextSpan) : wait;
      return Math.max(noLater, MIN_WAIT_NANOS);
    }
    if (!spansWaited) {
      return Worker.NOTHING_DUE;
    }
    // As long as spans keep coming, looking that often spares each of them a system call to wake
    // this thread.
    spansWaited = false;
    return untilNextSpan;
  }

  private final class Worker implements DelayingSpanProcessor.Channel {
    @Override
    public void execute(Runnable task) {
      Worker thread = channel;
      if (thread == null) {
        task.run();
      } else {
        thread.execute(task);
      }
    }

    @Override
    public void spanWaits() {
      Worker thread = channel;
      if (thread != null) {
        thread.wakeIfAsleep();
      }
    }
  }
}
