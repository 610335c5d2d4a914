/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.samples;

import io.flamespan.correlation.internal.delay.SamplesDelay;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.protocol.MessageHandler;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Applies the messages of profilers. Called by one thread at a time; any thread may read the
 * counts.
 */
public final class ProfilerMessages implements MessageHandler {
  /** How long spans wait until a profiler announces a delay. */
  public static final long DEFAULT_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long MAX_DELAY_MILLIS = TimeUnit.SECONDS.toMillis(60);

  private final SamplesDelay delay;
  private final ArrivedSamples samples;
  private final Runnable onFirst;
  private final Consumer<String> onHostId;
  private final RateLimitedLogger logger = new RateLimitedLogger(ProfilerMessages.class);
  private volatile long unknownCorrelations;
  private boolean hasFirst;

  /**
   * Applies messages to these.
   *
   * @param onFirst runs when the first message has arrived
   * @param onHostId called with the host id of each registration message
   */
  public ProfilerMessages(
      SamplesDelay delay, ArrivedSamples samples, Runnable onFirst, Consumer<String> onHostId) {
    this.delay = delay;
    this.samples = samples;
    this.onFirst = onFirst;
    this.onHostId = onHostId;
  }

  /**
   * Returns how many correlation messages were for a local root span that is unknown or accepts no
   * samples.
   */
  public long unknown() {
    return unknownCorrelations;
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
    onHostId.accept(profilerHostId);
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
