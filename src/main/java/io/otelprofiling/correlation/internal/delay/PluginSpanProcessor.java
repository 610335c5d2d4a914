/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.trace.SpanProcessor;

/**
 * Marks the plug-in's processors, so that a processor is not wrapped twice: its local root spans
 * would wait twice.
 */
public interface PluginSpanProcessor extends SpanProcessor {

  /**
   * Returns the delaying processor, with {@code onEnding} if the downstream processor requires
   * that. Never throws.
   *
   * @param delaying a processor of the plug-in
   * @param downstream the processor behind it
   */
  static PluginSpanProcessor withOnEnding(PluginSpanProcessor delaying, SpanProcessor downstream) {
    try {
      return OnEndingForwarder.of(delaying, downstream);
    } catch (LinkageError e) {
      return delaying; // an SDK without onEnding
    }
  }
}
