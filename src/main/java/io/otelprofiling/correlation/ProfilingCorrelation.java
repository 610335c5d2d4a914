/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.otelprofiling.correlation.internal.channel.ChannelThread;
import io.otelprofiling.correlation.internal.channel.MessageDecoder;
import io.otelprofiling.correlation.internal.channel.ProfilerSocket;
import io.otelprofiling.correlation.internal.config.ActivationMode;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.context.ContextMirror;
import io.otelprofiling.correlation.internal.context.MirroringContextStorage;
import io.otelprofiling.correlation.internal.hostid.HostIdLogRecordExporter;
import io.otelprofiling.correlation.internal.hostid.HostIdMetricExporter;
import io.otelprofiling.correlation.internal.hostid.HostIdSpanExporter;
import io.otelprofiling.correlation.internal.hostid.ProfilerHostId;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.processcontext.ProcessContext;
import io.otelprofiling.correlation.internal.span.CorrelatingSpanProcessor;
import io.otelprofiling.correlation.internal.span.DelayingSpanProcessor;
import io.otelprofiling.correlation.internal.span.LateSpanProcessor;
import io.otelprofiling.correlation.internal.span.LocalRootSpans;
import io.otelprofiling.correlation.internal.span.LocalRootTracker;
import io.otelprofiling.correlation.internal.span.SamplesDelay;
import io.otelprofiling.correlation.internal.telemetry.CorrelationCounts;
import io.otelprofiling.correlation.internal.telemetry.OwnMetrics;
import java.io.IOException;
import java.nio.file.Path;
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
 * The plug-in of one SDK: builds the parts, connects them, starts and stops them in order. Until it
 * is started, and after it was stopped, its processors let all spans pass.
 */
public final class ProfilingCorrelation {
  private static final Logger logger = Logger.getLogger(ProfilingCorrelation.class.getName());

  private static final AttributeKey<String> HOST_ID = AttributeKey.stringKey("host.id");

  private static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  // Profilers see one socket path and one record per thread: these are the process's, not an SDK's.
  private static final LocalRootSpans LOCAL_ROOTS = new LocalRootSpans();
  private static final ContextMirror MIRROR = new ContextMirror(LOCAL_ROOTS);
  private static final AtomicReference<@Nullable ProfilingCorrelation> RUNNING =
      new AtomicReference<>();

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
  private final List<CorrelatingSpanProcessor> processors = new CopyOnWriteArrayList<>();
  private volatile @Nullable ChannelThread channel;
  private boolean spansWaited; // of the channel's thread

  ProfilingCorrelation(CorrelationConfig config, Resource resource) {
    this.config = config;
    this.resource = resource;
    this.hostId = new ProfilerHostId(resource.getAttribute(HOST_ID));
    this.messages =
        new ProfilerMessages(
            LOCAL_ROOTS, delay, hostId, config.maxStackTraceIds(), this::addHostId);
    this.decoder = new MessageDecoder(messages);
    MirroringContextStorage.setWanted(!isOff()); // of no account once a context was used
  }

  /**
   * For an SDK that is built in code. Where the SDK is autoconfigured nothing of this is needed.
   *
   * @param resource of the SDK
   */
  public static ProfilingCorrelationBuilder builder(Resource resource) {
    return new ProfilingCorrelationBuilder(resource);
  }

  /**
   * Registers the wrapper of the context storage, which has to happen before anything in the
   * application asks OpenTelemetry for the current context. Where the SDK is configured too late
   * for that, call this first thing in {@code main}. Further calls do nothing.
   */
  public static void registerContextStorage() {
    // The static initialiser has done it.
  }

  /**
   * Wraps a processor that the application adds to the SDK in code, in a customizer of the tracer
   * provider, so that the local root spans that reach it carry their stack traces as well.
   * Processors that the SDK's autoconfiguration makes are wrapped without this.
   *
   * <p>May be called on any thread, at any time before the SDK is built, whether or not the plug-in
   * is going to run. Never throws, and logs nothing. The processor that is returned
   *
   * <ul>
   *   <li>calls the given one on the threads that start and end spans, like the SDK itself, but for
   *       sampled local root spans of the SDK that the plug-in serves: these come on a thread of
   *       the plug-in, after the samples delay, one second if the profiler tells none. An exception
   *       that the processor throws there is logged, not more than once a minute.
   *   <li>passes everything on at once while the plug-in is off, has not started, has no profiler
   *       in mode {@code auto}, or after the SDK was shut down.
   *   <li>gives out what waits before {@code forceFlush} and {@code shutdown} reach the given one.
   * </ul>
   *
   * @param processor such as a {@code BatchSpanProcessor}; to be added to the SDK only in what this
   *     returns
   * @return the processor to add; the same one if it was wrapped before
   */
  public static SpanProcessor correlate(SpanProcessor processor) {
    return processor instanceof DelayingSpanProcessor
        ? processor
        : DelayingSpanProcessor.withOnEnding(
            new LateSpanProcessor(processor, ProfilingCorrelation::running), processor);
  }

  private static @Nullable UnaryOperator<SpanProcessor> running() {
    ProfilingCorrelation running = RUNNING.get();
    return running == null ? null : running::delaying;
  }

  /** Wraps a processor so that it gets local root spans when their stack traces have arrived. */
  SpanProcessor delaying(SpanProcessor downstream) {
    if (downstream instanceof DelayingSpanProcessor) {
      return downstream;
    }
    CorrelatingSpanProcessor processor =
        new CorrelatingSpanProcessor(
            downstream, LOCAL_ROOTS, delay, new Channel(), config.bufferSize(), System::nanoTime);
    processors.add(processor);
    return DelayingSpanProcessor.withOnEnding(processor, downstream);
  }

  /**
   * Starts the plug-in, unless it is off, and has it follow the spans of this SDK. To be called
   * last before the tracer provider is built, once. Never throws: what goes wrong is told in a log
   * line.
   */
  public SdkTracerProviderBuilder addTo(SdkTracerProviderBuilder tracing) {
    return !isOff() && start() ? tracing.addSpanProcessor(tracker()) : tracing;
  }

  /** Has the SDK's metric readers export what the plug-in counts. */
  public SdkMeterProviderBuilder addTo(SdkMeterProviderBuilder metering) {
    if (isOff()) {
      return metering;
    }
    OwnMetrics metrics = new OwnMetrics(resource);
    count(metrics.meters());
    return metering.registerMetricProducer(metrics);
  }

  /** Has these meters show what the plug-in counts. */
  void count(MeterProvider meters) {
    CorrelationCounts.register(
        meters, decoder, messages::unknown, messages::dropped, LOCAL_ROOTS::displaced, processors);
  }

  /** Has exported spans carry the profiler's {@code host.id} where the resource has none. */
  public SpanExporter withHostId(SpanExporter exporter) {
    return lacksHostId() ? new HostIdSpanExporter(exporter, hostId) : exporter;
  }

  /** Has exported metrics carry the profiler's {@code host.id} where the resource has none. */
  public MetricExporter withHostId(MetricExporter exporter) {
    return lacksHostId() ? new HostIdMetricExporter(exporter, hostId) : exporter;
  }

  /** Has exported log records carry the profiler's {@code host.id} where the resource has none. */
  public LogRecordExporter withHostId(LogRecordExporter exporter) {
    return lacksHostId() ? new HostIdLogRecordExporter(exporter, hostId) : exporter;
  }

  private boolean lacksHostId() {
    return !isOff() && hostId.isMissing();
  }

  /** Whether the settings switch it off: then all that is given is given back as it is. */
  boolean isOff() {
    return config.mode() == ActivationMode.FALSE;
  }

  /** The processor that has to see all spans, and is to be shut down after the delaying ones. */
  SpanProcessor tracker() {
    return new LocalRootTracker(LOCAL_ROOTS, MirroringContextStorage::problem, this::shutdownAsync);
  }

  /**
   * Starts all parts.
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
    if (!RUNNING.compareAndSet(null, this)) {
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
      RUNNING.set(null);
      StartFailure.tell(e);
      return false;
    }
  }

  private void startParts() throws IOException {
    if (config.nativeDir() != null) {
      NativeLibrary.extractJnrTo(config.nativeDir());
    }
    ProfilerSocket socket = ProfilerSocket.bind(config.socketDir());
    Path library;
    try {
      // A profiler looks once, when it sees the library: by then the socket has to be there.
      byte[] processStorage = ServiceStorage.encode(resource, socket.path());
      library = NativeLibrary.publish(processStorage, config.nativeDir());
      if (config.mode() == ActivationMode.TRUE) {
        delay.activate(ProfilerMessages.DEFAULT_DELAY_NANOS);
      }
      ChannelThread thread = new ChannelThread(socket, decoder, this::releaseDue);
      thread.start();
      channel = thread;
    } catch (Throwable e) {
      NativeLibrary.withdraw();
      delay.deactivate();
      socket.close();
      throw e;
    }
    MIRROR.start(config.virtualThreadsEnabled());
    if (config.processContextEnabled()) {
      processContext.publish(resource);
    }
    logger.log(
        Level.INFO,
        "Profiling correlation is on: mode {0}, socket {1}, library {2}",
        new Object[] {config.mode().name().toLowerCase(Locale.ROOT), socket.path(), library});
  }

  private CompletableResultCode shutdownAsync() {
    CompletableResultCode result = new CompletableResultCode();
    ChannelThread thread = channel;
    if (thread == null || RUNNING.get() != this) {
      return result.succeed();
    }
    thread.execute(
        () -> {
          stop(thread);
          result.succeed();
        });
    return result;
  }

  private void stop(ChannelThread thread) {
    if (RUNNING.get() != this) {
      return;
    }
    delay.deactivate();
    processors.forEach(CorrelatingSpanProcessor::releaseAll);
    MIRROR.stop();
    processContext.withdraw();
    NativeLibrary.withdraw();
    logger.log(
        Level.FINE,
        "Profiling correlation ends: {0} messages dropped, {1} for unknown spans",
        new Object[] {decoder.droppedMessages(), messages.unknown()});
    // Last, because another SDK of this process may then bind the same path.
    thread.stop();
    RUNNING.set(null);
  }

  private long releaseDue() {
    long wait = CorrelatingSpanProcessor.EMPTY;
    for (CorrelatingSpanProcessor processor : processors) {
      wait = Math.min(wait, processor.releaseDue());
    }
    if (wait != CorrelatingSpanProcessor.EMPTY) {
      spansWaited = true;
      return wait;
    }
    if (!spansWaited) {
      return ChannelThread.NOTHING_DUE;
    }
    // A span that ends from now on is due after the delay: as long as spans keep coming, looking
    // that often spares each of them a system call to wake this thread.
    spansWaited = false;
    return Math.max(delay.nanos(), MIN_WAIT_NANOS);
  }

  private void addHostId(String hostId) {
    processContext.update(resource.toBuilder().put(HOST_ID, hostId).build());
  }

  private final class Channel implements CorrelatingSpanProcessor.Channel {
    @Override
    public void execute(Runnable task) {
      ChannelThread thread = channel;
      if (thread == null) {
        task.run();
      } else {
        thread.execute(task);
      }
    }

    @Override
    public void spanWaits() {
      ChannelThread thread = channel;
      if (thread != null) {
        thread.wakeIfAsleep();
      }
    }
  }
}
