/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.channel.ChannelThread;
import io.otelprofiling.correlation.internal.channel.MessageDecoder;
import io.otelprofiling.correlation.internal.channel.MessageHandler;
import io.otelprofiling.correlation.internal.channel.ProfilerSocket;
import io.otelprofiling.correlation.internal.config.ActivationMode;
import io.otelprofiling.correlation.internal.config.CorrelationConfig;
import io.otelprofiling.correlation.internal.context.ContextMirror;
import io.otelprofiling.correlation.internal.context.MirroringContextStorage;
import io.otelprofiling.correlation.internal.hostid.ProfilerHostId;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.memory.ProcessStorage;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.processcontext.ProcessContext;
import io.otelprofiling.correlation.internal.span.CorrelatingSpanProcessor;
import io.otelprofiling.correlation.internal.span.LocalRoot;
import io.otelprofiling.correlation.internal.span.LocalRootSpans;
import io.otelprofiling.correlation.internal.span.LocalRootTracker;
import io.otelprofiling.correlation.internal.span.SamplesDelay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The plug-in of one SDK: builds the parts, connects them, starts and stops them in order. Until it
 * is started, and after it was stopped, its processors let all spans pass.
 */
public final class ProfilingCorrelation {
  private static final Logger logger = Logger.getLogger(ProfilingCorrelation.class.getName());

  private static final AttributeKey<String> SERVICE_NAME = AttributeKey.stringKey("service.name");
  private static final AttributeKey<String> ENVIRONMENT =
      AttributeKey.stringKey("deployment.environment.name");
  private static final AttributeKey<String> OLD_ENVIRONMENT =
      AttributeKey.stringKey("deployment.environment");

  private static final AttributeKey<String> HOST_ID = AttributeKey.stringKey("host.id");

  private static final long DEFAULT_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long MAX_DELAY_MILLIS = TimeUnit.SECONDS.toMillis(60);

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
  private final RateLimitedLogger delayLogger = new RateLimitedLogger(logger);
  private final MessageDecoder decoder = new MessageDecoder(new Messages());
  private final List<CorrelatingSpanProcessor> processors = new CopyOnWriteArrayList<>();
  private volatile @Nullable ChannelThread channel;
  private boolean spansWaited; // of the channel's thread
  private long unknownCorrelations; // of the channel's thread

  ProfilingCorrelation(CorrelationConfig config, Resource resource, ProfilerHostId hostId) {
    this.config = config;
    this.resource = resource;
    this.hostId = hostId;
  }

  /**
   * Registers the wrapper of the context storage, which has to happen before anything in the
   * application asks OpenTelemetry for the current context. Where the SDK is configured too late
   * for that, call this first thing in {@code main}. Further calls do nothing.
   */
  public static void registerContextStorage() {
    // The static initialiser has done it.
  }

  /** Whether this SDK is to be mirrored; of no account once OpenTelemetry has used a context. */
  static void wantContextStorage(boolean wanted) {
    MirroringContextStorage.setWanted(wanted);
  }

  /** Wraps a processor so that it gets local root spans when their stack traces have arrived. */
  SpanProcessor delaying(SpanProcessor downstream) {
    CorrelatingSpanProcessor processor =
        new CorrelatingSpanProcessor(
            downstream, LOCAL_ROOTS, delay, new Channel(), config.bufferSize(), System::nanoTime);
    processors.add(processor);
    return processor;
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
          serviceName());
      return false;
    }
    try {
      startParts();
      return true;
    } catch (IOException e) {
      RUNNING.set(null);
      logger.log(Level.WARNING, "Profiling correlation is off: {0}.", e.getMessage());
      logger.log(Level.FINE, "Profiling correlation is off", e);
      return false;
    } catch (Throwable e) {
      RUNNING.set(null);
      if (e instanceof NoClassDefFoundError && e.getCause() instanceof ClassNotFoundException) {
        logger.log(
            Level.WARNING,
            "Profiling correlation is off: {0} is missing. The plug-in needs its dependencies in"
                + " its own class loader. As extension of the OpenTelemetry Java agent, use the jar"
                + " whose name ends in -agent-extension: it contains them.",
            e.getMessage());
        logger.log(Level.FINE, "Profiling correlation is off", e);
        return false;
      }
      logger.log(Level.WARNING, "Profiling correlation is off", e);
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
      byte[] processStorage =
          ProcessStorage.encode(serviceName(), environment(), socket.path().toString());
      library = NativeLibrary.publish(processStorage, config.nativeDir());
      if (config.mode() == ActivationMode.TRUE) {
        delay.activate(DEFAULT_DELAY_NANOS);
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
        new Object[] {decoder.droppedMessages(), unknownCorrelations});
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

  private String serviceName() {
    String name = resource.getAttribute(SERVICE_NAME);
    return name == null ? "" : name;
  }

  private String environment() {
    String environment = resource.getAttribute(ENVIRONMENT);
    if (environment == null) {
      environment = resource.getAttribute(OLD_ENVIRONMENT);
    }
    return environment == null ? "" : environment;
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

  private final class Messages implements MessageHandler {
    @Override
    public void onRegistration(long samplesDelayMillis, String profilerHostId) {
      long delayMillis = samplesDelayMillis;
      if (delayMillis > MAX_DELAY_MILLIS) {
        delayMillis = MAX_DELAY_MILLIS;
        delayLogger.warn(
            "The profiler announces a samples delay of "
                + samplesDelayMillis
                + " ms, spans wait "
                + MAX_DELAY_MILLIS
                + " ms at most");
      }
      delay.activate(TimeUnit.MILLISECONDS.toNanos(delayMillis));
      if (hostId.onRegistration(profilerHostId)) {
        processContext.update(resource.toBuilder().put(HOST_ID, profilerHostId).build());
      }
    }

    @Override
    public void onCorrelation(
        long traceIdHigh,
        long traceIdLow,
        long localRootSpanId,
        long stackTraceIdHigh,
        long stackTraceIdLow,
        int count) {
      if (!delay.isActive()) {
        // Not every profiler sends a registration message.
        delay.activate(DEFAULT_DELAY_NANOS);
      }
      LocalRoot root = LOCAL_ROOTS.find(traceIdHigh, traceIdLow, localRootSpanId);
      if (root == null || !root.add(stackTraceIdHigh, stackTraceIdLow, count)) {
        unknownCorrelations++;
      }
    }
  }
}
