/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.embedded.EmbeddedProfiler;
import io.flamespan.correlation.internal.embedded.ThreadSamples;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.localroot.LocalRootSampler;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.internal.localroot.LocalRootTraceState;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells the embedded profiler what each thread worked for, before that changes. Exists while this
 * profiler runs. Thread-safe. Throws nothing, unless not even enough stack is left for that.
 */
final class SampledThreads {
  // What runs on a carrier is mostly the work of virtual threads, so native code reports it.
  private static final String CARRIER = "CarrierThread";

  private final EmbeddedProfiler profiler;
  private final LocalRootSpans localRoots;
  private final boolean onVirtualThreads;
  private final int run;
  private final RateLimitedLogger logger = new RateLimitedLogger(SampledThreads.class);

  /**
   * Follows threads in one run of the mirror.
   *
   * @param localRoots contains local root spans that no sampler of the plug-in has seen
   * @param onVirtualThreads whether native code reports samples of virtual threads
   */
  SampledThreads(
      EmbeddedProfiler profiler, LocalRootSpans localRoots, boolean onVirtualThreads, int run) {
    this.profiler = profiler;
    this.localRoots = localRoots;
    this.onVirtualThreads = onVirtualThreads;
    this.run = run;
  }

  /**
   * Begins to follow the calling thread in this run of the mirror. Returns null if it cannot.
   *
   * @param current returns the thread's current context, to any thread
   */
  @Nullable SampledThread follow(Supplier<@Nullable Context> current, int run) {
    if (run != this.run) {
      return null;
    }
    try {
      SampledThread thread = new SampledThread(this, current);
      ThreadSamples samples = samplesOfCurrentThread(thread);
      if (samples != null) {
        thread.start(samples);
        return thread;
      }
    } catch (Throwable e) {
      warn(e);
    }
    return null;
  }

  private @Nullable ThreadSamples samplesOfCurrentThread(SampledThread thread) {
    if (VirtualThreads.isCurrent()) {
      return onVirtualThreads ? NativeCarriers.OF_VIRTUAL_THREADS : null;
    }
    return isCarrier()
        ? null
        : profiler.ofCurrentThread(thread::currentWork, thread::currentWorkOfHolder);
  }

  private static boolean isCarrier() {
    return Thread.currentThread().getClass().getName().endsWith(CARRIER);
  }

  void warn(Throwable e) {
    logger.warn("Samples of a thread belong to no span", e);
  }

  /**
   * Returns what a thread works for: a span that can have samples, or a request that is not
   * sampled. Otherwise returns null.
   *
   * @param isSampled whether the thread was sampled, so that the local root span has to wait
   */
  @Nullable Work workOf(@Nullable Context current, boolean isSampled) {
    Work work = sampledWorkOf(current, isSampled);
    if (work != null || current == null || !LocalRootSampler.keepsNames()) {
      return work;
    }
    Span span = Span.fromContextOrNull(current);
    String name =
        span == null ? null : LocalRootTraceState.nameOfRootNotSampled(span.getSpanContext());
    return name == null ? work : Work.notSampled(name);
  }

  /** The same, and {@link Work#UNKNOWN} for another span, whose request is not known. */
  @Nullable Work workOfHolder(@Nullable Context current) {
    Work work = workOf(current, false);
    Span span = work != null || current == null ? null : Span.fromContextOrNull(current);
    SpanContext context = span == null ? SpanContext.getInvalid() : span.getSpanContext();
    return context.isValid() && !context.isRemote() ? Work.UNKNOWN : work;
  }

  /**
   * Returns what a thread works for, or null if it works for no span that can have samples.
   *
   * @param isSampled whether the thread was sampled, so that the local root span has to wait
   */
  @Nullable Work sampledWorkOf(@Nullable Context current, boolean isSampled) {
    Span span = current == null ? null : Span.fromContextOrNull(current);
    if (span == null) {
      return null;
    }
    SpanContext context = span.getSpanContext();
    LocalRoot root = context.isRemote() || !context.isValid() ? null : rootOf(span, context);
    if (root == null || !root.isSampled()) {
      return null;
    }
    boolean unused = isSampled && root.expect(); // after it has been passed on, this is its work
    // Nobody receives a span below it that is not sampled.
    long spanId = context.isSampled() ? root.spanIdOf(context) : root.spanId();
    return new Work(root.traceIdHigh(), root.traceIdLow(), root.spanId(), spanId);
  }

  /** Like what profilers of the host are shown. */
  private @Nullable LocalRoot rootOf(Span span, SpanContext context) {
    LocalRoot root = LocalRootTraceState.rootOf(context);
    if (root != null && root.isOpen() && root.isOfTrace(context)) {
      return root;
    }
    return span instanceof ReadableSpan && LocalRootSpans.isLocalRoot((ReadableSpan) span)
        ? localRoots.entryOf(context)
        : null;
  }
}
