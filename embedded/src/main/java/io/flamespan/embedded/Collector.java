/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.EmbeddedCounts;
import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.log.Trouble;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects what was sampled, and keeps a session running. Thread-safe. */
final class Collector {
  private final RateLimitedLogger damageLogger = new RateLimitedLogger(Collector.class);
  private final RateLimitedLogger failureLogger = new RateLimitedLogger(Collector.class);
  private final ProcessProfiler profiler;
  private final long periodNanos;
  private final boolean forTool;
  private final Set<SampleKind> kinds;
  private final FollowedThreads threads;
  private final FollowedCarriers carriers;
  private final Join join;
  private final ProcessFiles process = new ProcessFiles(Paths.get("/proc/self"));
  private final Coverage coverage;
  private @Nullable Session session;
  private volatile @Nullable String engine;
  private volatile String reason = "it has stopped";
  private volatile long skipped;
  private long skippedBefore; // in earlier sessions

  /** Starts a session. */
  Collector(
      ProcessProfiler profiler,
      long periodNanos,
      boolean forTool,
      Set<SampleKind> kinds,
      FollowedThreads threads,
      FollowedCarriers carriers,
      Join join)
      throws EmbeddedProfilerException {
    this.profiler = profiler;
    this.periodNanos = periodNanos;
    this.forTool = forTool;
    this.kinds = kinds;
    this.threads = threads;
    this.carriers = carriers;
    this.join = join;
    coverage = new Coverage(process, periodNanos, System.nanoTime());
    boolean hasBegun = false;
    try {
      begin();
      hasBegun = true;
    } finally {
      if (!hasBegun) { // nobody else has this object
        stop();
      }
    }
  }

  private void begin() throws EmbeddedProfilerException {
    Session begun = new Session(profiler, periodNanos, forTool, kinds, process);
    session = begun;
    begun.deferToOtherHandlers();
    if (kinds.contains(SampleKind.WALL)) {
      threads.sampleWaits(profiler);
    }
  }

  /** Returns what takes the samples, as async-profiler says, or null before the first sample. */
  @Nullable String engine() {
    return engine;
  }

  /** Returns why nothing more comes, if it ended by itself. */
  String reason() {
    return reason;
  }

  EmbeddedCounts counts() {
    EmbeddedCounts counts = join.counts();
    counts.skipped += skipped;
    counts.cpuMillis = coverage.cpuMillis();
    counts.sampledMillis = coverage.sampledMillis();
    return counts;
  }

  /** Delivers what was sampled until now. Returns false if nothing more will come. Never throws. */
  synchronized boolean collect() {
    long now = System.nanoTime();
    try {
      if (session == null) {
        return false;
      }
      if (!session.runs()) {
        Session ended = session;
        session = null;
        carriers.end();
        end("somebody else has stopped async-profiler");
        ended.close();
        return false;
      }
      session.deferToOtherHandlers();
      if (deliver(session, session::dump)) {
        endSession(false);
        begin();
      }
      coverage.lookIfDue(now, engine);
    } catch (EmbeddedProfilerException e) {
      end(String.valueOf(e.getMessage()));
    } catch (Throwable e) { // of all listeners and of a full heap: the next round goes on
      failureLogger.warn("The embedded profiler has lost samples", e);
    }
    join.delivered(now); // or they are lost
    return session != null;
  }

  private void end(String why) {
    reason = why;
    Trouble.warn(Collector.class, "The embedded profiler is off from now on: " + why);
  }

  /** From now on, no sample belongs to a span. Takes no lock. */
  void abandon() {
    join.abandon();
  }

  /** Ends the session, if there is one, and delivers what was sampled. Never throws. */
  synchronized void stop() {
    endSession(true);
  }

  private void endSession(boolean isLast) {
    try {
      Session ended = session;
      session = null;
      try {
        if (ended != null && ended.runs()) {
          deliver(ended, ended::stop);
          skippedBefore = skipped;
        }
      } finally {
        if (isLast) {
          carriers.end(); // before another deployment may begin, and follow them
        }
        if (ended != null) {
          ended.close();
        }
      }
    } catch (Throwable e) { // as above
      failureLogger.warn("The embedded profiler has lost samples at its end", e);
    }
  }

  /** Returns whether a new session should begin. */
  private boolean deliver(Session from, Join.Dump dump) throws IOException {
    Chunks chunks = join.collect(dump, this::deliver);
    List<JoinedSample> waits = join.takeWaits();
    if (!waits.isEmpty()) {
      EmbeddedAsyncProfiler.tellListeners(waits, periodNanos);
    }
    if (chunks == null) {
      return false;
    }
    Session.Metrics metrics = from.metrics();
    coverage.add(skippedBefore + metrics.skipped - skipped);
    skipped = skippedBefore + metrics.skipped;
    if (chunks.damaged > 0 || chunks.found.isEmpty()) {
      damageLogger.warn(
          "The embedded profiler has lost the samples of a second or more, because a file in "
              + System.getProperty("java.io.tmpdir")
              + " is incomplete: is the disk full?");
    }
    return metrics.isLarge;
  }

  private void deliver(Chunk chunk, List<JoinedSample> samples) {
    coverage.add(chunk.samples.stream().filter(each -> each.kind == SampleKind.CPU).count());
    EmbeddedAsyncProfiler.tellListeners(samples, periodNanos);
    if (chunk.engine != null) {
      engine = chunk.engine;
    }
  }
}
