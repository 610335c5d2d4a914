/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.internal.jvm.JvmCounters;
import io.flamespan.correlation.internal.log.Trouble;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Samples of what stops all threads: the JVM, and the kernel where the container has used up its
 * CPU time. Thread-safe.
 */
final class StopSamples {
  /** How often to look. */
  static final long INTERVAL_MILLIS = 50;

  private static final long THROTTLING_INTERVAL_NANOS = 100_000_000;
  private static final long SIGN_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final boolean IS_LINUX =
      System.getProperty("os.name", "").equals("Linux"); // others have no control groups
  private static final String THROTTLED = "throttled";
  private static final String NO_STOP = "no stop";
  private static final String FRAME = "JVM"; // as a type

  private final StackTraceIds ids = new StackTraceIds();
  private final Map<List<String>, StackTrace> stackTraces = new HashMap<>();
  private final @Nullable JvmCounters counters; // null without the next ones
  private final @Nullable GcPauses pauses;
  private final @Nullable Safepoints safepoints;
  private @Nullable CpuThrottling throttling;
  private long throttlingUntil = System.nanoTime();
  private long nextSign = throttlingUntil;
  private List<JoinedSample> samples = new ArrayList<>();
  private boolean hasEnded;

  /** Begins, and says what will not be known. Returns null if there is nothing to look at. */
  static @Nullable StopSamples begin() {
    StopSamples begun = new StopSamples();
    return begun.counters == null && begun.throttling == null ? null : begun;
  }

  private StopSamples() {
    JvmCounters opened = JvmCounters.open(StopSamples::stopsAreNotKnown);
    GcPauses noted = opened == null ? null : pauses(opened);
    counters = noted == null ? null : opened;
    pauses = noted;
    safepoints = counters == null ? null : safepoints(counters);
    try {
      throttling = IS_LINUX ? CpuThrottling.find(Paths.get("/proc/self")) : null;
    } catch (IOException | RuntimeException e) {
      throttlingIsNotKnown(e);
    }
  }

  private static void stopsAreNotKnown(String reason) {
    Trouble.warn(
        StopSamples.class,
        "Stops of the JVM are not known: "
            + reason
            + ". Change that, or remove stops from "
            + Settings.EMBEDDED_PROFILER_EVENTS);
  }

  private void throttlingIsNotKnown(Exception e) {
    throttling = null;
    Trouble.warn(
        StopSamples.class,
        "It is not known when the container is throttled: "
            + e
            + ". Mount proc and the control groups, or remove stops from "
            + Settings.EMBEDDED_PROFILER_EVENTS);
  }

  private static @Nullable GcPauses pauses(JvmCounters counters) {
    try {
      return new GcPauses(counters);
    } catch (IOException | RuntimeException e) {
      stopsAreNotKnown(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private static Safepoints safepoints(JvmCounters counters) {
    long stopped = counters.stoppedNanos();
    long reaching = counters.reachingNanos();
    long running = counters.runningNanos();
    return new Safepoints(System.nanoTime(), running, reaching, stopped);
  }

  /** Returns in words what it looks at. */
  @Override
  public synchronized String toString() {
    StringJoiner words = new StringJoiner(", ");
    if (counters != null) {
      words.add("stops of the JVM");
    }
    if (throttling != null) {
      words.add("throttling by " + throttling);
    }
    return words.toString();
  }

  /** Looks what has happened since the last time. */
  synchronized void look() {
    if (hasEnded) {
      return;
    }
    if (counters != null && pauses != null && safepoints != null) {
      lookAtJvm(counters, pauses, safepoints);
    }
    if (throttling != null) {
      lookAtThrottling(throttling);
    }
    giveSignIfDue();
  }

  private void lookAtJvm(JvmCounters counters, GcPauses pauses, Safepoints safepoints) {
    // The counters come first: a pause that ends meanwhile has its stop counted next time.
    long stopped = counters.stoppedNanos();
    if (!safepoints.hasNew(stopped)) {
      return; // as mostly: a look takes next to nothing
    }
    long reaching = counters.reachingNanos();
    long running = counters.runningNanos();
    long now = System.nanoTime();
    List<Stop> stops = new ArrayList<>();
    long epoch = pauses.take(stops);
    safepoints.look(now, running, reaching, stopped, stops);
    for (Stop stop : stops) {
      add(SampleKind.STOPPED, stop.nanos, epoch + stop.begin, stop.cause, stop.kind);
    }
  }

  private void lookAtThrottling(CpuThrottling throttling) {
    long now = System.nanoTime();
    long interval = now - throttlingUntil;
    if (interval < THROTTLING_INTERVAL_NANOS) {
      return;
    }
    long begin = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - interval;
    throttlingUntil = now;
    try {
      long nanos = throttling.nanos(interval);
      if (nanos > 0) {
        add(SampleKind.THROTTLED, nanos, begin, THROTTLED);
      }
    } catch (IOException | RuntimeException e) {
      throttlingIsNotKnown(e);
    }
  }

  /** So that readers tell a process that is not stopped from one of which nobody knows. */
  private void giveSignIfDue() {
    long now = System.nanoTime();
    if (now - nextSign < 0) {
      return;
    }
    nextSign = now + SIGN_INTERVAL_NANOS;
    long epochNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    if (counters != null) {
      add(SampleKind.STOPPED, 0, epochNanos, NO_STOP);
    }
    if (throttling != null) {
      add(SampleKind.THROTTLED, 0, epochNanos, THROTTLED);
    }
  }

  private void add(SampleKind kind, long nanos, long epochNanos, String... names) {
    StackTrace stackTrace =
        stackTraces.computeIfAbsent(
            Arrays.asList(names),
            unknown -> {
              List<Frame> frames = new ArrayList<>();
              for (String name : unknown) {
                frames.add(new Frame("", name, 0, FRAME));
              }
              return ids.identify(frames);
            });
    samples.add(new JoinedSample(kind, nanos, epochNanos, "", stackTrace, null));
  }

  /** Returns the samples since the last call. */
  synchronized List<JoinedSample> take() {
    List<JoinedSample> taken = samples;
    samples = new ArrayList<>();
    return taken;
  }

  /** Looks for the last time. */
  synchronized void end() {
    try {
      look();
    } finally {
      if (pauses != null && !hasEnded) {
        pauses.end();
      }
      hasEnded = true;
    }
  }
}
