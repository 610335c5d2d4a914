/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

import io.opentelemetry.sdk.trace.SpanProcessor;

/** Writes the spans of an SDK to files, beside the profiles of the {@link EmbeddedProfiler}. */
public interface SpanRecorder {
  /**
   * Returns a processor for all spans of the SDK. Called on the thread that configures the SDK, and
   * the plug-in runs by then.
   *
   * @param directory where the files go
   */
  SpanProcessor spans(String directory, EmbeddedSettings settings);
}
