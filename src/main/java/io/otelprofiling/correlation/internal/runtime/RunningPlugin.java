/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.otelprofiling.correlation.internal.delay.LateBoundSpanProcessor;
import io.otelprofiling.correlation.internal.delay.PluginSpanProcessor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Wraps parts of an SDK for the plug-in, if any, that will run once the SDK is in use. Thread-safe.
 * Never throws.
 */
public final class RunningPlugin {
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

  /**
   * Returns a factory of delaying processors, or null if no plug-in serves the SDK of this local
   * root span.
   */
  private static @Nullable UnaryOperator<SpanProcessor> serving(ReadableSpan localRoot) {
    ServedSdk.Plugin running = ServedSdk.RUNNING.get();
    return running != null && ProcessState.LOCAL_ROOTS.entryOf(localRoot.getSpanContext()) != null
        ? running::delayingFromNowOn
        : null;
  }
}
