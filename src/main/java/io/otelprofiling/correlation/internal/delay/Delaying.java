/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.trace.SpanProcessor;

/** A processor of ours, behind which local root spans wait; behind two, they would wait twice. */
public interface Delaying extends SpanProcessor {

  /**
   * The same with {@code onEnding}, if the processor behind it wants that. Never throws.
   *
   * @param delaying a processor of ours
   * @param downstream the one behind it
   */
  static Delaying withOnEnding(Delaying delaying, SpanProcessor downstream) {
    try {
      return OnEndingForwarder.of(delaying, downstream);
    } catch (LinkageError e) {
      return delaying; // an SDK without onEnding
    }
  }
}
