/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.files;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.embedded.JoinedSample;
import io.otelprofiling.embedded.JoinedSamples;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/** Writes what was collected at once as a line, or as several if it is much. Thread-safe. */
final class ProfileLines implements JoinedSamples {
  private static final int MAX_SAMPLES = 10_000;

  /** So that the last samples are written before the process ends. */
  private static final long MAX_WAIT_MILLIS = 500;

  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(ProfileLines.class.getName()));
  private final LineWriter writer;
  private final Resource resource;

  ProfileLines(LineWriter writer, Resource resource) {
    this.writer = writer;
    this.resource = resource;
  }

  @Override
  public void onJoined(List<JoinedSample> samples, long periodNanos) {
    try {
      for (int from = 0; from < samples.size(); from += MAX_SAMPLES) {
        int to = Math.min(from + MAX_SAMPLES, samples.size());
        write(samples.subList(from, to), periodNanos);
      }
    } catch (RuntimeException e) {
      logger.warn("A profile was not written", e);
    }
  }

  private void write(List<JoinedSample> samples, long periodNanos) {
    CompletableResultCode unused =
        writer
            .write(ProfilesJson.line(samples, periodNanos, resource))
            .join(MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
  }
}
