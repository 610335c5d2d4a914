/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.memory.ThreadStorage;
import io.otelprofiling.correlation.internal.nativelib.NativeLibrary;
import io.otelprofiling.correlation.internal.span.LocalRoot;
import io.otelprofiling.correlation.internal.span.LocalRootSpans;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a context looks like to a profiler, for the calling thread: the span of a local
 * trace, or no trace, for a remote span, one that the sampler dropped, or none. Never throws.
 */
public final class ContextMirror {
  private static final ThreadLocal<ThreadMirror> THREAD_MIRROR = new ThreadLocal<>();

  private final LocalRootSpans localRoots;
  private final VirtualThreads virtualThreads = new VirtualThreads();
  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(ContextMirror.class.getName()));
  private volatile State state = State.NEVER_STARTED;

  private enum State {
    NEVER_STARTED,
    ACTIVE,
    STOPPED
  }

  public ContextMirror(LocalRootSpans localRoots) {
    this.localRoots = localRoots;
  }

  /** Mirrors from now on. The native library has to be loaded. */
  public void start(boolean onVirtualThreads) {
    virtualThreads.setEnabled(onVirtualThreads);
    state = State.ACTIVE;
  }

  /** Shows no trace from each thread's next switch on. */
  public void stop() {
    state = State.STOPPED;
  }

  /** Null before {@link #createForCurrentThread}. */
  @Nullable ThreadMirror ofCurrentThread() {
    return THREAD_MIRROR.get();
  }

  ThreadMirror createForCurrentThread() {
    ThreadMirror thread = ThreadMirror.ofCurrentThread(this);
    THREAD_MIRROR.set(thread);
    return thread;
  }

  /** Null on virtual threads where those show no trace. */
  @Nullable ThreadStorage newRecordOfCurrentThread() {
    return VirtualThreads.isCurrent()
        ? virtualThreads.newRecord()
        : new ThreadStorage(NativeLibrary.threadRecord());
  }

  /** Has the thread, which is this one, show the span of the context that is current on it now. */
  void show(ThreadMirror thread, @Nullable Context current) {
    State state = this.state;
    if (state == State.NEVER_STARTED) {
      return;
    }
    try {
      if (state == State.STOPPED || current == null) {
        thread.showNoTrace();
      } else {
        thread.show(Span.fromContextOrNull(current), localRoots);
      }
    } catch (Throwable e) {
      failed(thread, e);
    }
  }

  /**
   * The same where it is known what it showed when this context was current before.
   *
   * @param slot the last slot of the thread then, and so the arguments that follow
   */
  void showAgain(
      ThreadMirror thread,
      @Nullable Context current,
      short slot,
      @Nullable LocalRoot root,
      byte flags,
      long spanId) {
    if (state == State.STOPPED || !thread.showAgain(slot, root, flags, spanId)) {
      show(thread, current);
    }
  }

  private void failed(ThreadMirror thread, Throwable failure) {
    logger.warn("The active span is not shown to profilers", failure);
    thread.showNoTraceAfterFailure(); // better none than the one before
  }
}
