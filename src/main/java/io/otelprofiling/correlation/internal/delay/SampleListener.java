/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.delay;

import io.opentelemetry.sdk.trace.ReadableSpan;

/** Receives the local root spans that were sampled. Called on any thread. */
public interface SampleListener {
  /**
   * Called once for each span that has stack trace ids, when it is passed on.
   *
   * @param span the local root span, which has ended
   * @param samples how many samples it had, at least 1
   */
  void onSampled(ReadableSpan span, long samples);
}
