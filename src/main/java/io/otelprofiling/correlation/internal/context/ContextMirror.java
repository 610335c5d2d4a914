/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.context;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.span.LocalRootSpans;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a context looks like to a profiler, and writes it for the calling thread: the span
 * of a local trace, or no trace, for a remote span, one that the sampler dropped, or none. Never
 * throws.
 */
public final class ContextMirror {
  private static final ThreadLocal<ThreadMirror> THREAD_MIRROR = new ThreadLocal<>();

  private final LocalRootSpans localRoots;
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
  public void start() {
    state = State.ACTIVE;
  }

  /** Shows no trace from each thread's next switch on. */
  public void stop() {
    state = State.STOPPED;
  }

  /**
   * Mirrors the context that is current on this thread.
   *
   * @return whether the thread now shows another span than before, so whether it has to be told
   *     when the context changes back
   */
  boolean show(@Nullable Context current) {
    State state = this.state;
    if (state == State.NEVER_STARTED) {
      return false;
    }
    ThreadMirror mirror = null;
    try {
      mirror = THREAD_MIRROR.get();
      if (state == State.STOPPED) {
        return mirror != null && mirror.showNoTrace();
      }
      Span span = current == null ? null : localSpan(Span.fromContextOrNull(current));
      if (mirror == null) {
        if (span == null) {
          return false;
        }
        mirror = ThreadMirror.ofCurrentThread();
        THREAD_MIRROR.set(mirror);
      }
      return mirror.show(span, localRoots);
    } catch (Throwable e) {
      logger.warn("The active span is not shown to profilers", e);
      if (mirror != null) {
        mirror.showNoTrace(); // better none than the one before
      }
      return true;
    }
  }

  private static @Nullable Span localSpan(@Nullable Span span) {
    // Remote spans and spans that the sampler dropped are wrapped span contexts.
    return span instanceof ReadableSpan ? span : null;
  }
}
