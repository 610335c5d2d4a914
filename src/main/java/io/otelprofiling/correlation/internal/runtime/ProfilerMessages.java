/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.runtime;

import io.otelprofiling.correlation.internal.config.Settings;
import io.otelprofiling.correlation.internal.delay.SamplesDelay;
import io.otelprofiling.correlation.internal.hostid.ProfilerHostId;
import io.otelprofiling.correlation.internal.localroot.LocalRoot;
import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;
import io.otelprofiling.correlation.internal.log.RateLimitedLogger;
import io.otelprofiling.correlation.internal.protocol.MessageHandler;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/**
 * Applies the messages of profilers. Called by one thread at a time; any thread may read the
 * counts.
 */
final class ProfilerMessages implements MessageHandler {
  /** How long spans wait until a profiler announces a delay. */
  static final long DEFAULT_DELAY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long MAX_DELAY_MILLIS = TimeUnit.SECONDS.toMillis(60);

  private final LocalRootSpans localRoots;
  private final SamplesDelay delay;
  private final ProfilerHostId hostId;
  private final Runnable onNewHostId;
  private final RateLimitedLogger logger =
      new RateLimitedLogger(Logger.getLogger(ProfilerMessages.class.getName()));
  private final RateLimitedLogger limitLogger =
      new RateLimitedLogger(Logger.getLogger(ProfilerMessages.class.getName()));
  private final int maxStackTraceIds;
  private volatile long unknownCorrelations;
  private volatile long droppedStackTraceIds;

  /**
   * Creates the handler.
   *
   * @param maxStackTraceIds the maximum number of ids of a span, repetitions included
   * @param onNewHostId runs after a profiler's host id was learned
   */
  ProfilerMessages(
      LocalRootSpans localRoots,
      SamplesDelay delay,
      ProfilerHostId hostId,
      int maxStackTraceIds,
      Runnable onNewHostId) {
    this.localRoots = localRoots;
    this.delay = delay;
    this.hostId = hostId;
    this.maxStackTraceIds = maxStackTraceIds;
    this.onNewHostId = onNewHostId;
  }

  /**
   * Returns how many correlation messages were for a local root span that is unknown or accepts no
   * samples.
   */
  long unknown() {
    return unknownCorrelations;
  }

  /** Returns how many stack trace ids were above the limit of their span. */
  long dropped() {
    return droppedStackTraceIds;
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
    LocalRoot root = localRoots.find(traceIdHigh, traceIdLow, localRootSpanId);
    int added =
        root == null
            ? LocalRoot.FROZEN
            : root.add(stackTraceIdHigh, stackTraceIdLow, count, maxStackTraceIds);
    if (added == LocalRoot.FROZEN) {
      unknownCorrelations++;
    } else if (added < count) {
      droppedStackTraceIds += count - added;
      limitLogger.warn(
          "A local root span has as many stack trace ids as it may have, "
              + maxStackTraceIds
              + "; further ones are dropped. Raise "
              + Settings.MAX_STACK_TRACE_IDS);
    }
  }
}
