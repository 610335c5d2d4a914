/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.opentelemetry.sdk.trace.SpanProcessor;
import io.otelprofiling.correlation.internal.config.Settings;
import io.otelprofiling.correlation.internal.embedded.SpanRecorder;
import io.otelprofiling.correlation.internal.log.Trouble;
import java.util.Iterator;
import java.util.ServiceLoader;

/** What the artifact with the embedded profiler adds to an SDK whose spans it shall write. */
final class RecordedSpans {
  private static final SpanProcessor NOTHING = SpanProcessor.composite();
  private static final String NOT_WRITTEN = "Spans and profiles are not written to ";

  /** Returns the processor, which does nothing if the settings name no directory. Never throws. */
  static SpanProcessor processor(Parts parts) {
    String directory = parts.config.get(Settings.EMBEDDED_PROFILER_DIRECTORY);
    if (directory.isEmpty()) {
      return NOTHING;
    }
    EmbeddedSampling embedded = parts.embedded;
    if (embedded == null) {
      String why = ", unless " + Settings.EMBEDDED_PROFILER + " is on or auto";
      Trouble.warn(Correlator.class, NOT_WRITTEN + directory + why);
      return NOTHING;
    }
    try {
      Iterator<SpanRecorder> found =
          ServiceLoader.load(SpanRecorder.class, RecordedSpans.class.getClassLoader()).iterator();
      // Without the artifact, the embedded profiler says that it is missing.
      return found.hasNext() ? found.next().spans(directory, embedded.settings()) : NOTHING;
    } catch (Throwable e) {
      Trouble.warn(Correlator.class, NOT_WRITTEN + directory, e);
      return NOTHING;
    }
  }

  private RecordedSpans() {}
}
