/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.trace.ReadableSpan;

/** Receives local root spans that have samples. Called on any thread. */
public interface SampleListener {
  /**
   * Called once for each span with stack trace ids, when it is passed on.
   *
   * @param span the ended local root span
   * @param samples the number of its samples, at least 1
   */
  void onSampled(ReadableSpan span, long samples);
}
