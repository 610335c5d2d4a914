/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.internal.delay.SamplesDelay;
import io.otelprofiling.correlation.internal.hostid.ProfilerHostId;
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

  private final ArrivedSamples samples;
  private final SamplesDelay delay;
  private final ProfilerHostId hostId;
  private final Runnable onNewHostId;
  private final RateLimitedLogger logger = new RateLimitedLogger(ProfilerMessages.class);
  private volatile Runnable onFirst = () -> {};
  private volatile long unknownCorrelations;
  private boolean hasFirst;

  /**
   * Creates the handler.
   *
   * @param onNewHostId runs after a profiler's host id was learned
   */
  ProfilerMessages(
      ArrivedSamples samples, SamplesDelay delay, ProfilerHostId hostId, Runnable onNewHostId) {
    this.samples = samples;
    this.delay = delay;
    this.hostId = hostId;
    this.onNewHostId = onNewHostId;
  }

  /**
   * Returns how many correlation messages were for a local root span that is unknown or accepts no
   * samples.
   */
  long unknown() {
    return unknownCorrelations;
  }

  /** Sets what runs after the first message; it must not throw. */
  void onFirst(Runnable listener) {
    onFirst = listener;
  }

  private void messageArrived() {
    if (!hasFirst) {
      hasFirst = true;
      onFirst.run();
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
    delay.activate(TimeUnit.MILLISECONDS.toNanos(delayMillis));
    messageArrived();
    if (hostId.onRegistration(profilerHostId)) {
      onNewHostId.run();
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
    if (!delay.isActive()) {
      // Not every profiler sends a registration message.
      delay.activate(DEFAULT_DELAY_NANOS);
    }
    messageArrived();
    if (!samples.add(
        traceIdHigh, traceIdLow, localRootSpanId, stackTraceIdHigh, stackTraceIdLow, count)) {
      unknownCorrelations++;
    }
  }
}
