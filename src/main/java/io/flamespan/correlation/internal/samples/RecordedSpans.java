/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.samples;

import io.flamespan.correlation.internal.config.CorrelationConfig;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.embedded.SpanRecorder;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Trouble;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.Iterator;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** What the artifact with the embedded profiler adds to an SDK whose spans it shall write. */
public final class RecordedSpans {
  private static final SpanProcessor NOTHING = SpanProcessor.composite();
  private static final String NOT_WRITTEN = "Spans and profiles are not written to ";

  /**
   * Returns the processor, which does nothing if the settings name no directory. Never throws.
   *
   * @param embedded null if the settings do not want the embedded profiler
   */
  public static SpanProcessor processor(
      CorrelationConfig config, @Nullable EmbeddedSampling embedded) {
    String directory = config.get(Settings.EMBEDDED_PROFILER_DIRECTORY);
    if (directory.isEmpty()) {
      return NOTHING;
    }
    if (embedded == null) {
      String why = ", unless " + Settings.EMBEDDED_PROFILER + " is on or auto";
      Trouble.warn(RecordedSpans.class, NOT_WRITTEN + directory + why);
      return NOTHING;
    }
    return new RateLimitedLogger(RecordedSpans.class)
        .orElse(NOTHING, NOT_WRITTEN + directory, () -> find(directory, embedded));
  }

  private static SpanProcessor find(String directory, EmbeddedSampling embedded) {
    if (EmbeddedVersion.difference() != null) {
      return NOTHING; // as the embedded profiler says
    }
    Iterator<SpanRecorder> found =
        ServiceLoader.load(SpanRecorder.class, RecordedSpans.class.getClassLoader()).iterator();
    // Without the artifact, the embedded profiler says that it is missing.
    return found.hasNext() ? found.next().spans(directory, embedded.settings()) : NOTHING;
  }

  private RecordedSpans() {}
}
