/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.wrapping;

import io.opentelemetry.sdk.trace.SpanProcessor;

/**
 * Marks the plug-in's processors, so that none is wrapped twice. Local root spans would otherwise
 * wait twice.
 */
public interface PluginSpanProcessor extends SpanProcessor {

  /**
   * Returns the delaying processor, with support for {@code onEnding} if the downstream processor
   * requires it. Never throws.
   *
   * @param delaying a processor of the plug-in
   * @param downstream its downstream processor
   */
  static PluginSpanProcessor withOnEnding(PluginSpanProcessor delaying, SpanProcessor downstream) {
    try {
      return OnEndingForwarder.of(delaying, downstream);
    } catch (LinkageError e) {
      return delaying; // this SDK does not have onEnding
    }
  }
}
