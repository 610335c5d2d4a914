/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.runtime;

import io.flamespan.correlation.internal.config.StatusProperty;
import io.flamespan.correlation.internal.localroot.LocalRoot;
import io.flamespan.correlation.internal.localroot.LocalRootSampler;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.wrapping.LateBoundSpanProcessor;
import io.flamespan.correlation.internal.wrapping.PluginSpanProcessor;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.Collections;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Wraps parts of an SDK for the plug-in, if any, that will run once the SDK is in use. Thread-safe.
 * Never throws.
 */
public final class RunningPlugin {
  private static final String WITHOUT_STACK_TRACES =
      "A span processor that was wrapped with ProfilingCorrelation.correlate receives spans without"
          + " stack traces, because ";

  private static final RateLimitedLogger logger = new RateLimitedLogger(RunningPlugin.class);

  private RunningPlugin() {}

  /**
   * Wraps a processor for the plug-in that turns out to serve its SDK.
   *
   * @return the given processor if it was already wrapped
   */
  public static SpanProcessor wrap(SpanProcessor processor) {
    return processor instanceof PluginSpanProcessor
        ? processor
        : PluginSpanProcessor.withOnEnding(
            new LateBoundSpanProcessor(processor, RunningPlugin::serving), processor);
  }

  /**
   * Wraps a sampler, so that the spans it decides on lead to their local root span.
   *
   * @return the given sampler if it was already wrapped
   */
  public static Sampler wrap(Sampler sampler) {
    return sampler instanceof LocalRootSampler
        ? sampler
        : new LocalRootSampler(sampler, () -> ServedSdk.RUNNING.get() != null);
  }

  /** Returns what the public may know of the plug-in that runs, or why none does. */
  public static Map<String, Object> publicStatus() {
    Correlator running = ServedSdk.RUNNING.get();
    return running == null
        ? Collections.singletonMap("state", StatusProperty.get())
        : running.parts.status.readPublic();
  }

  /**
   * Returns a factory of delaying processors, or null if no plug-in serves the SDK of this local
   * root span.
   */
  private static @Nullable UnaryOperator<SpanProcessor> serving(ReadableSpan localRoot) {
    Correlator running = ServedSdk.RUNNING.get();
    if (running == null) {
      return null;
    }
    if (!running.parts.tracker.isInUse()) {
      logger.warn(
          WITHOUT_STACK_TRACES
              + "the plug-in is not installed in a tracer provider. Call install before the provider is"
              + " built");
      return null;
    }
    LocalRoot root = ProcessState.LOCAL_ROOTS.entryOf(localRoot.getSpanContext());
    if (root == null) {
      return null;
    }
    if (root.isDropped()) { // by the tracker, which has seen the end of the span before
      logger.warn(
          WITHOUT_STACK_TRACES
              + "it was added after Flamespan. Call install last, and customizers that"
              + " add processors before");
      return null;
    }
    return running::delayingFromNowOn;
  }
}
