/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.embedded.Carriers;
import io.flamespan.correlation.internal.embedded.EmbeddedProfiler;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.nativelib.NativeBridge;
import io.flamespan.correlation.internal.nativelib.NativeLibrary;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes what profilers see of a context to the calling thread's record: the span of a local trace,
 * or no trace for a remote span, a local root span that the sampler dropped, or no span. After a
 * failure it shows no trace, and logs the failure. Throws nothing, unless not even enough stack is
 * left for that.
 */
public final class ContextMirror {
  /** The number of the run while nothing is mirrored. */
  static final int NO_RUN = 0;

  private final Consumer<Span> onOtherSdk;
  private final VirtualThreads virtualThreads = new VirtualThreads();
  private final NotSampledNames names = new NotSampledNames();
  private final RecordFactory records = new RecordFactory(virtualThreads, names);
  private @Nullable Carriers carriers; // guarded by this
  private final RateLimitedLogger logger = new RateLimitedLogger(ContextMirror.class);
  private final Callable<@Nullable ThreadMirror> create = this::create; // needs memory

  // Counts the starts, so that a thread notices if its record was cleared and rewritten meanwhile.
  private volatile int run = NO_RUN;
  private volatile boolean threadsWithoutMirror;
  private volatile boolean recordsInUse;
  private volatile @Nullable SampledThreads sampledThreads; // of the run with its number
  private int runs; // guarded by this
  private volatile boolean looksForSdk = true;
  private boolean notesRoots; // not volatile: a thread may read it late

  /**
   * Creates a mirror that does not run yet.
   *
   * @param onOtherSdk receives the first recording span that becomes current while the mirror does
   *     not run
   */
  public ContextMirror(Consumer<Span> onOtherSdk) {
    this.onOtherSdk = onOtherSdk;
  }

  /**
   * Mirrors contexts from now on. The native library must be loaded. Called by one thread at a
   * time.
   *
   * @param otelAttributes the attributes of OpenTelemetry thread contexts, or null if threads have
   *     no thread contexts
   */
  public synchronized void start(
      boolean onVirtualThreads, @Nullable OtelAttributes otelAttributes) {
    virtualThreads.setEnabled(onVirtualThreads);
    records.start(otelAttributes);
    recordsInUse = true;
    run = ++runs;
  }

  /**
   * Follows contexts from now on without mirroring them, for an embedded profiler only. Needs no
   * native library. Called like {@link #start}.
   */
  public synchronized void startWithoutRecords() {
    records.startWithout();
    run = ++runs;
  }

  /** Sets whether local roots remember when they were first current. */
  public void noteRoots(boolean wanted) {
    notesRoots = wanted;
  }

  boolean notesRoots() {
    return notesRoots;
  }

  /**
   * Shows no trace on any thread, and releases the mirrors of platform threads. A thread that is
   * just about to show a trace shows none from its next switch on.
   */
  public synchronized void stop() {
    run = NO_RUN;
    sampledThreads = null;
    if (recordsInUse) { // otherwise the records may belong to another class loader
      NativeLibrary.hideAllThreads();
      recordsInUse = false;
    }
    ThreadMirrors.releaseAll();
  }

  /**
   * Returns what the carriers of virtual threads work for, or null if virtual threads show no
   * traces.
   */
  public synchronized @Nullable Carriers carriers() {
    if (recordsInUse && virtualThreads.canBeShown()) {
      if (carriers == null) {
        carriers = NativeCarriers.of(virtualThreads, names);
      }
      return carriers;
    }
    return null;
  }

  /**
   * From now on, while the mirror runs, each thread tells this profiler what it worked for. Every
   * thread begins a run at its next switch, so switches need no check for this.
   *
   * @param localRoots all local root spans that can have samples
   */
  public synchronized void startReports(EmbeddedProfiler profiler, LocalRootSpans localRoots) {
    if (run != NO_RUN) {
      sampledThreads = new SampledThreads(profiler, localRoots, carriers() != null, ++runs);
      run = runs;
    }
  }

  /** Undoes {@link #startReports}. A thread that switches right now may still report. */
  public synchronized void stopReports() {
    if (sampledThreads != null) {
      sampledThreads = null;
      run = ++runs;
    }
  }

  /** Reports new samples of the calling thread as its current span's. Never throws. */
  public void reportSamples() {
    try {
      ThreadMirror thread = ThreadMirrors.find();
      SampledThread sampled = thread == null ? null : thread.sampled;
      if (sampled != null) {
        sampled.report();
      }
    } catch (Throwable e) {
      // The stack is exhausted. The next switch of this thread reports.
    }
  }

  boolean isRunning() {
    return run != NO_RUN;
  }

  /** Returns in a few words whether virtual threads are mirrored. */
  public String virtualThreads() {
    return virtualThreads.state();
  }

  /**
   * Loads the classes that every access to the current context needs. If one cannot be initialized,
   * all accesses would fail.
   */
  void loadClasses() {
    boolean unused = ThreadMirrors.find() == null && VirtualThreads.isCurrent();
  }

  /** Returns the mirror to attach a context to, or null before {@link #createForCurrentThread}. */
  @Nullable ThreadMirror ofCurrentThread() {
    return ThreadMirrors.findAndHold();
  }

  /**
   * Returns the mirror to read the current context from, or null if nothing is current. A thread
   * that has lost its thread-locals, as threads of the common pool do after each task, shows no
   * trace from now on.
   */
  @Nullable ThreadMirror findForCurrentThread() {
    ThreadMirror thread = ThreadMirrors.find();
    if (thread == null && run != NO_RUN && !VirtualThreads.isCurrent()) {
      thread = createForCurrentThread();
      if (thread != null) {
        show(thread, null);
      }
    }
    return thread;
  }

  /**
   * Creates the mirror of the calling thread, which must not have one. Returns null, after a
   * warning, if that fails: the thread then uses OpenTelemetry's default storage until nothing is
   * current there.
   */
  @Nullable ThreadMirror createForCurrentThread() {
    ThreadMirror thread = logger.orElse(null, "A thread shows no trace to profilers", create);
    if (thread == null) {
      threadsWithoutMirror = true;
    }
    return thread;
  }

  private @Nullable ThreadMirror create() {
    if (contextWithoutMirror() != null) {
      return null;
    }
    boolean virtual = VirtualThreads.isCurrent();
    ThreadMirror thread =
        virtual ? new ThreadMirror(this, records) : new ThreadMirror.Padded(this, records);
    ThreadMirrors.add(thread, !virtual);
    return thread;
  }

  /** Returns the current context of a thread whose mirror could not be created. */
  @Nullable Context contextWithoutMirror() {
    return threadsWithoutMirror ? ContextStorage.defaultStorage().current() : null;
  }

  /**
   * Shows the span of the context that is now current on the calling thread.
   *
   * @param thread the mirror of the calling thread
   */
  void show(ThreadMirror thread, @Nullable Context current) {
    try {
      if (thread.isIn(run) || enter(thread)) {
        thread.show(current);
      } else if (looksForSdk && current != null) {
        lookForSdk(current);
      }
    } catch (Throwable e) {
      failed(thread, e);
    }
  }

  /** Moves a mirror to the current run. Returns false if nothing may be shown. */
  private boolean enter(ThreadMirror thread) {
    int now = run;
    if (now == NO_RUN) {
      thread.sampled = null;
      thread.leave();
      ThreadMirrors.release(thread);
      return false;
    }
    if (recordsInUse && !VirtualThreads.isCurrent()) {
      NativeBridge.hideThread0();
    }
    SampledThreads threads = sampledThreads;
    thread.sampled = threads == null ? null : threads.follow(thread, now);
    thread.enter(now);
    return true;
  }

  private void lookForSdk(Context current) {
    Span span = null;
    boolean isOver = true; // found, or failed: neither may happen for each context
    try {
      span = Span.fromContextOrNull(current);
      isOver = span != null && span.isRecording();
    } finally {
      if (isOver) {
        looksForSdk = false;
      }
    }
    if (isOver && span != null) {
      onOtherSdk.accept(span);
    }
  }

  private void failed(ThreadMirror thread, Throwable failure) {
    try {
      thread.showNoTraceAfterFailure(); // no trace is better than the previous one
    } catch (Throwable e) {
      // The stack may be exhausted, for example. The next switch writes the whole record.
    }
    logger.warn("The active span is not shown to profilers", failure);
  }
}
