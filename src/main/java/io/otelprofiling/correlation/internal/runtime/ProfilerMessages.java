/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.protocol.MessageHandler;
import java.util.concurrent.TimeUnit;

/**
 * Applies the messages of profilers. Called by one thread at a time; any thread may read the
 * counts.
 */
final class ProfilerMessages implements MessageHandler {
  /** How long spans wait until a profiler announces a delay. */
  static final long DEFAULT_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long MAX_DELAY_MILLIS = TimeUnit.SECONDS.toMillis(60);

  private final Parts parts;
  private final RateLimitedLogger logger = new RateLimitedLogger(ProfilerMessages.class);
  private volatile long unknownCorrelations;
  private boolean hasFirst;

  ProfilerMessages(Parts parts) {
    this.parts = parts;
  }

  /**
   * Returns how many correlation messages were for a local root span that is unknown or accepts no
   * samples.
   */
  long unknown() {
    return unknownCorrelations;
  }

  private void messageArrived() {
    if (!hasFirst) {
      hasFirst = true;
      if (parts.embedded != null) {
        parts.embedded.hostProfilerSeen();
      }
    }
  }

  @Override
  public void onRegistration(long samplesDelayMillis, String profilerHostId) {
    long delayMillis = samplesDelayMillis;
    if (delayMillis > MAX_DELAY_MILLIS) {
      delayMillis = MAX_DELAY_MILLIS;
      logger.warn(
          "The profiler announces a samples delay of "
              + samplesDelayMillis
              + " ms; spans wait "
              + MAX_DELAY_MILLIS
              + " ms at most");
    }
    parts.delay.activate(TimeUnit.MILLISECONDS.toNanos(delayMillis));
    messageArrived();
    if (parts.hostId.onRegistration(profilerHostId)) {
      parts.processContext.update(parts.hostId.addTo(parts.resource));
    }
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void onCorrelation(
      long traceIdHigh,
      long traceIdLow,
      long localRootSpanId,
      long stackTraceIdHigh,
      long stackTraceIdLow,
      int count) {
    if (!parts.delay.isActive()) {
      // Not every profiler sends a registration message.
      parts.delay.activate(DEFAULT_DELAY_NANOS);
    }
    messageArrived();
    if (!parts.samples.add(
        traceIdHigh, traceIdLow, localRootSpanId, stackTraceIdHigh, stackTraceIdLow, count)) {
      unknownCorrelations++;
    }
  }
}
