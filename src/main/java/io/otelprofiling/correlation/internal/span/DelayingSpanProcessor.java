/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.span;

import io.opentelemetry.sdk.trace.SpanProcessor;

/** A processor of ours, behind which local root spans wait; behind two, they would wait twice. */
public interface DelayingSpanProcessor extends SpanProcessor {

  /**
   * The same with {@code onEnding}, if the processor behind it wants that. Never throws.
   *
   * @param delaying a processor of ours
   * @param downstream the one behind it
   */
  static DelayingSpanProcessor withOnEnding(
      DelayingSpanProcessor delaying, SpanProcessor downstream) {
    try {
      return EndingSpanProcessor.of(delaying, downstream);
    } catch (LinkageError e) {
      return delaying; // an SDK without onEnding
    }
  }
}
