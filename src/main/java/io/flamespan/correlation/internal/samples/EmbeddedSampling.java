/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.samples;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.ProfilesExporter;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.config.Switch;
import io.flamespan.correlation.internal.context.ContextMirror;
import io.flamespan.correlation.internal.delay.SamplesDelay;
import io.flamespan.correlation.internal.embedded.Carriers;
import io.flamespan.correlation.internal.embedded.EmbeddedCounts;
import io.flamespan.correlation.internal.embedded.EmbeddedProfiler;
import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.flamespan.correlation.internal.embedded.EmbeddedSettings;
import io.flamespan.correlation.internal.embedded.SampleReceiver;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.localroot.LocalRootSampler;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Step;
import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.telemetry.SampleMetric;
import io.flamespan.correlation.internal.threads.LastingThread;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Collections;
import java.util.Iterator;
import java.util.Queue;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops the embedded profiler of one SDK's plug-in, and receives its samples. Exists
 * only if the settings want it. What may take long runs on a thread that exists only meanwhile. Any
 * thread may call the methods. They never throw.
 */
public final class EmbeddedSampling implements SampleReceiver {
  private static final String OFF = "The embedded profiler is off: {0}.";
  private static final String NOT_FOUND =
      "it is not on the class path. Add the artifact flamespan-embedded, or set "
          + Settings.EMBEDDED_PROFILER
          + " to off";
  private static final String NOT_FREE =
      "The embedded profiler waits, because the one of another SDK has not stopped for {0} s."
          + " Is the machine short of CPU?";
  private static final String FAILED = "The embedded profiler may not do what it should";
  private static final String BOTH =
      "A profiler of the host has sent a message, and the embedded profiler is on: samples count"
          + " twice. Set "
          + Settings.EMBEDDED_PROFILER
          + " to auto or off.";
  private static final String HOST_PROFILER = "a profiler of the host has sent a message";

  /** How long spans wait at most. The profiler delivers each second, unless it lacks CPU time. */
  static final long MAX_DELAY_NANOS = TimeUnit.SECONDS.toNanos(10);

  public static final long HOST_PROFILER_NANOS = TimeUnit.SECONDS.toNanos(30);
  public static final long MAX_WAIT_MILLIS = TimeUnit.SECONDS.toMillis(1);
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long MAX_OTHER_NANOS = TimeUnit.SECONDS.toNanos(10);

  // A profiler samples the whole process, and the one of a closed SDK may be slow to stop.
  private static final Semaphore FREE = new Semaphore(1);

  private final CorrelationConfig config;
  private final Resource resource;
  private final SamplesDelay delay;
  private final ArrivedSamples samples;
  private final @Nullable SampleMetric metric;
  private final ContextMirror mirror;
  private final LocalRootSpans localRoots;
  private final String otlpEndpoint;
  private final boolean samplesThreads;
  private final boolean givesWay; // to a profiler of the host
  private final double periodSeconds;
  private final long hostProfilerNanos;
  private final long maxWaitMillis;
  private final Supplier<@Nullable EmbeddedProfiler> provider;
  private final Queue<CountDownLatch> collections = new ConcurrentLinkedQueue<>();
  private final CountDownLatch settled = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicBoolean bothReported = new AtomicBoolean();
  private final AtomicLong late = new AtomicLong();
  private final RateLimitedLogger failures = new RateLimitedLogger(EmbeddedSampling.class);
  private final LastingThread thread =
      new LastingThread("flamespan-sampling", this::round, failures, FAILED);
  private final Step startIfFree = this::startIfFree;
  private volatile Runnable onChange = () -> {};
  private volatile boolean forTool;
  private volatile String state = "waiting";
  private volatile @Nullable EmbeddedProfiler counted; // from its start on
  private volatile @Nullable EmbeddedProfiler running;
  private volatile long onSinceMillis;
  private volatile boolean hostProfilerSeen;
  private volatile @Nullable String endedBecause;
  private volatile boolean stopping;
  private volatile long beganNanos;
  private boolean isAbandoned; // guarded by this
  private boolean tried; // used by the thread only
  private boolean hasTurn; // whether it has acquired FREE; used by the thread only
  private long waitsSinceNanos; // used by the thread only; 0 if it has not waited
  private boolean waitReported; // used by the thread only

  /**
   * Prepares for sampling, when the mode says.
   *
   * @param hostProfilerNanos how long to wait in mode {@code auto} for a profiler of the host
   * @param maxWaitMillis how long to wait for a delivery, and for the end of the profiler
   * @param provider returns the profiler, or null if there is none
   */
  public EmbeddedSampling(
      CorrelationConfig config,
      Resource resource,
      SamplesDelay delay,
      ArrivedSamples samples,
      @Nullable SampleMetric metric,
      ContextMirror mirror,
      LocalRootSpans localRoots,
      long hostProfilerNanos,
      long maxWaitMillis,
      Supplier<@Nullable EmbeddedProfiler> provider) {
    this.config = config;
    this.resource = resource;
    this.delay = delay;
    this.samples = samples;
    this.metric = metric;
    this.mirror = mirror;
    this.localRoots = localRoots;
    this.otlpEndpoint = ProfilesExporter.endpoint(config);
    this.samplesThreads =
        !Collections.singletonList(Settings.STOPS)
            .containsAll(config.get(Settings.EMBEDDED_PROFILER_EVENTS));
    this.givesWay = samplesThreads && config.get(Settings.EMBEDDED_PROFILER) == Switch.AUTO;
    this.periodSeconds = config.get(Settings.EMBEDDED_PROFILER_PERIOD);
    this.hostProfilerNanos = hostProfilerNanos;
    this.maxWaitMillis = maxWaitMillis;
    this.provider = provider;
  }

  /**
   * Returns the profiler if it is where the plug-in is: on its class path, or in the jar of the
   * extension.
   */
  public static @Nullable EmbeddedProfiler find() {
    Iterator<EmbeddedProfiler> found =
        ServiceLoader.load(EmbeddedProfiler.class, EmbeddedSampling.class.getClassLoader())
            .iterator();
    return found.hasNext() ? found.next() : null;
  }

  /** Sets what runs after {@link #state} has changed. */
  public void onChange(Runnable listener) {
    onChange = listener;
  }

  /** Must be called before the begin if this is for a tool. */
  public void serveTool() {
    forTool = true;
  }

  /** Begins to sample, now or later as the mode says. */
  public void begin() {
    beganNanos = System.nanoTime();
    wake();
  }

  /** Must be called when a profiler of the host has sent its first message. */
  public void hostProfilerSeen() {
    hostProfilerSeen = true;
    if (givesWay) {
      wake();
    } else if (running != null) {
      warnOfBoth();
    }
  }

  private void warnOfBoth() {
    if (samplesThreads && !bothReported.getAndSet(true)) {
      Trouble.warn(EmbeddedSampling.class, BOTH);
    }
  }

  /** Waits until the profiler has started, or cannot start. Returns whether it has started. */
  public boolean awaitStart(long millis) {
    return await(settled, millis) && running != null;
  }

  /** Delivers what was sampled until now, and waits for that up to a second. */
  public void collect() {
    if (running != null) {
      CountDownLatch done = new CountDownLatch(1);
      collections.add(done);
      wake();
      boolean unused = await(done, maxWaitMillis); // samples that come later are counted
    }
  }

  /**
   * Stops for good after everything was delivered. Waits for that up to a second. Afterwards,
   * nothing more is delivered for a span, because what threads work for may belong to another SDK.
   */
  public void stop() {
    stopping = true;
    wake();
    if (!await(ended, maxWaitMillis)) {
      abandon();
    }
  }

  private synchronized void abandon() {
    isAbandoned = true;
    EmbeddedProfiler started = counted;
    if (started != null) {
      started.abandon();
    }
  }

  private void wake() {
    boolean unused = thread.tryWake(FAILED);
  }

  private void safely(Step step) {
    boolean unused = failures.attempt(FAILED, step);
  }

  private static boolean await(CountDownLatch latch, long millis) {
    try {
      return latch.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private long round() {
    int due = collections.size();
    long wait = step();
    for (int i = 0; i < due; i++) {
      CountDownLatch done = collections.poll();
      if (done != null) {
        done.countDown();
      }
    }
    return wait;
  }

  private long step() {
    EmbeddedProfiler current = running;
    if (stopping) {
      end(current, "stopped");
      settled.countDown();
      ended.countDown();
    } else if (givesWay && hostProfilerSeen) {
      end(current, "stopped: " + HOST_PROFILER);
      if (current != null) {
        Trouble.log(EmbeddedSampling.class, Level.INFO, OFF, HOST_PROFILER);
      }
    } else if (current != null && endedBecause != null) {
      end(current, "stopped: " + endedBecause);
    } else if (current != null) {
      safely(current::collect);
    } else if (!tried) {
      long left = givesWay ? beganNanos + hostProfilerNanos - System.nanoTime() : 0;
      if (left > 0) {
        return left;
      }
      return start();
    }
    return LastingThread.END;
  }

  /** Returns when to try it again, or {@link LastingThread#END}. */
  private long start() {
    Throwable failure = startIfFree.failure();
    if (failure != null) {
      tried = true;
      end(counted, "failed");
      failedToStart(failure);
    }
    if (!tried) {
      return LOOK_AGAIN_NANOS;
    }
    settled.countDown();
    return LastingThread.END;
  }

  private void startIfFree() throws EmbeddedProfilerException {
    String difference = EmbeddedVersion.difference();
    EmbeddedProfiler found = difference == null ? provider.get() : null;
    if (found == null) {
      tried = true;
      off(difference == null ? NOT_FOUND : difference);
    } else if (!FREE.tryAcquire()) {
      reportWait();
    } else {
      tried = true;
      hasTurn = true;
      counted = found;
      start(found);
    }
  }

  private void reportWait() {
    long now = System.nanoTime();
    if (waitsSinceNanos == 0) {
      waitsSinceNanos = now;
    } else if (!waitReported && now - waitsSinceNanos > MAX_OTHER_NANOS) {
      waitReported = true;
      Trouble.warn(
          EmbeddedSampling.class, NOT_FREE, TimeUnit.NANOSECONDS.toSeconds(MAX_OTHER_NANOS));
    }
  }

  private void start(EmbeddedProfiler found) throws EmbeddedProfilerException {
    Carriers carriers = mirror.carriers();
    if (carriers != null) {
      found.follow(carriers);
    }
    String what = found.start(settings(), this);
    if (begin(found)) {
      enter((samplesThreads ? "on: " : "on, without samples of threads: ") + what);
      // Waits of native code end early, and those of virtual threads may be missing.
      boolean tellsMore = config.get(Settings.EMBEDDED_PROFILER_EVENTS).contains("wall");
      Level level = forTool && !tellsMore ? Level.FINE : Level.INFO;
      Trouble.log(EmbeddedSampling.class, level, "The embedded profiler is on: {0}.", what);
      if (!givesWay && hostProfilerSeen) {
        warnOfBoth();
      }
    } else {
      found.abandon();
      end(found, "stopped");
    }
  }

  /** Returns false if the SDK is gone meanwhile: threads may work for another one. */
  private synchronized boolean begin(EmbeddedProfiler started) {
    if (isAbandoned) {
      return false;
    }
    running = started;
    if (samplesThreads) {
      onSinceMillis = System.currentTimeMillis();
      delay.activateForSampled(MAX_DELAY_NANOS, mirror::reportSamples);
      setSecondsPerSample(periodSeconds);
      LocalRootSampler.keepNames(isAnyNameWanted());
      mirror.startReports(started, localRoots);
    }
    return true;
  }

  private boolean isAnyNameWanted() {
    return config.get(Settings.EMBEDDED_PROFILER_NOT_SAMPLED)
        && (metric != null
            || !otlpEndpoint.isEmpty()
            || !config.get(Settings.EMBEDDED_PROFILER_DIRECTORY).isEmpty());
  }

  public EmbeddedSettings settings() {
    return new EmbeddedSettings(
        Math.round(periodSeconds * 1e9),
        resource,
        config.get(Settings.EMBEDDED_PROFILER_LINKS).equals(Settings.LOCAL_ROOT),
        otlpEndpoint,
        config.get(Settings.EMBEDDED_PROFILER_DIRECTORY),
        config.get(Settings.EMBEDDED_PROFILER_EVENTS),
        config.get(Settings.NATIVE_DIR),
        forTool,
        config::ofOthers);
  }

  private void end(@Nullable EmbeddedProfiler started, String why) {
    if (started != null) {
      safely(started::stop);
      boolean didRun = running != null;
      running = null; // after the last delivery, for which a flush waits
      if (didRun && samplesThreads) {
        onSinceMillis = 0;
        mirror.stopReports();
        LocalRootSampler.keepNames(false);
        delay.deactivateForSampled();
        setSecondsPerSample(config.get(Settings.SAMPLES_PERIOD));
      }
      if (hasTurn) {
        hasTurn = false;
        FREE.release();
      }
    }
    if (started != null || !tried) {
      tried = true;
      enter(why);
    }
  }

  private void setSecondsPerSample(double seconds) {
    if (metric != null && seconds > 0) {
      metric.setSecondsPerSample(seconds);
    }
  }

  private void failedToStart(Throwable e) {
    if (e instanceof EmbeddedProfilerException) {
      off(String.valueOf(e.getMessage()));
    } else if (e instanceof LinkageError || e instanceof ServiceConfigurationError) {
      off(e.toString()); // of an incomplete class path, where a stack trace says no more
    } else {
      enter("failed: " + e);
      Trouble.warn(EmbeddedSampling.class, "The embedded profiler is off", e);
    }
  }

  private void off(String reason) {
    enter("failed: " + reason);
    Trouble.warn(EmbeddedSampling.class, OFF, reason);
  }

  private void enter(String now) {
    state = now;
    onChange.run();
  }

  @Override
  public void onSamples(Work work, long stackTraceIdHigh, long stackTraceIdLow, int count) {
    try {
      if (!samples.add(
          work.traceIdHigh,
          work.traceIdLow,
          work.localRootSpanId,
          stackTraceIdHigh,
          stackTraceIdLow,
          count)) {
        late.addAndGet(count);
      }
    } catch (Throwable e) {
      failures.warn("Samples were not added to a span", e);
    }
  }

  @Override
  public void onNotSampled(String name, int count) {
    SampleMetric target = metric;
    if (target != null) {
      safely(() -> target.addNotSampled(name, count));
    }
  }

  @Override
  public void onDelivered(long nanoTime) {
    safely(() -> delay.delivered(nanoTime));
  }

  @Override
  public void onEnded(String reason) {
    endedBecause = reason;
    wake();
  }

  /** Returns in a few words what the embedded profiler does, or why it does nothing. */
  public String state() {
    return state;
  }

  /** Returns since when it samples, or 0 while it does not. */
  public long onSinceMillis() {
    return onSinceMillis;
  }

  /** Returns what became of the samples, or null before there can be any. */
  public @Nullable EmbeddedCounts counts() {
    EmbeddedProfiler started = counted;
    return started == null ? null : failures.orElse(null, FAILED, started::counts);
  }

  /** Returns how many samples came after their local root span had been passed on. */
  public long late() {
    return late.get();
  }
}
