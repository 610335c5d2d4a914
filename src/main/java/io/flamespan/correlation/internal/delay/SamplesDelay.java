/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.delay;

import io.flamespan.correlation.internal.localroot.LocalRoot;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * Which ended local root spans wait for their stack trace ids, and how long. Nobody knows which
 * spans a profiler of the host has sampled, so all wait for it. An embedded profiler reports each
 * sample before its span ends, so only these spans wait for it, and no longer than until it has
 * delivered. Written by the threads that handle messages, start the plug-in, or start and stop the
 * embedded profiler. Read by any thread.
 */
public final class SamplesDelay {
  private static final long NOT_YET = -1;
  private static final long NO_LONGER = -2;

  private final List<Runnable> onShorter = new CopyOnWriteArrayList<>();
  private final List<Runnable> onDelivery = new CopyOnWriteArrayList<>();
  private final LongSupplier nanoClock;
  private volatile long ofAll = NOT_YET;
  private volatile long ofSampled = NOT_YET;
  private volatile Runnable reportSamples = () -> {}; // written before the field above
  private volatile long deliveredUntil; // likewise
  private volatile long activeSinceMillis;

  /** Creates a delay that is not active yet, in the system's time. */
  public SamplesDelay() {
    this(System::nanoTime);
  }

  /** The same with a clock that returns the time like {@link System#nanoTime()}. */
  SamplesDelay(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Returns the current time. */
  long nanoTime() {
    return nanoClock.getAsLong();
  }

  /** Delays all spans from now on. The new delay also applies to spans that already wait. */
  public synchronized void activate(long delayNanos) {
    long before = nanos();
    if (ofAll < 0) {
      activeSinceMillis = System.currentTimeMillis();
    }
    ofAll = delayNanos;
    runIfShorterThan(before);
  }

  /**
   * Delays spans with samples from now on, unless the delay has ended.
   *
   * @param delayNanos how long spans wait if nothing is delivered
   * @param reportSamples has the calling thread report samples of the span that is current; must
   *     not throw
   */
  public synchronized void activateForSampled(long delayNanos, Runnable reportSamples) {
    if (ofAll != NO_LONGER) {
      this.reportSamples = reportSamples;
      deliveredUntil = nanoTime() - delayNanos;
      ofSampled = delayNanos;
    }
  }

  /** Lets spans leave that had ended by this time: all samples up to it have been added. */
  public void delivered(long untilNanos) {
    if (ofSampled >= 0 && untilNanos - deliveredUntil > 0) {
      deliveredUntil = untilNanos;
      onDelivery.forEach(Runnable::run);
    }
  }

  /** Undoes {@link #activateForSampled}, after the last samples were added. */
  public synchronized void deactivateForSampled() {
    long before = nanos();
    ofSampled = NO_LONGER;
    runIfShorterThan(before);
  }

  private void runIfShorterThan(long before) {
    if (nanos() < before) {
      onShorter.forEach(Runnable::run);
    }
  }

  /**
   * Adds a listener for shorter delays, with which spans are due that were not due before.
   *
   * @param listener runs on the thread that makes the delay shorter
   */
  void onShorter(Runnable listener) {
    onShorter.add(listener);
  }

  /**
   * Adds a listener for deliveries, which happen each second.
   *
   * @param listener runs on the thread that delivers
   */
  void onDelivery(Runnable listener) {
    onDelivery.add(listener);
  }

  /** Ends the delay: from now on, spans pass immediately. */
  public synchronized void deactivate() {
    ofAll = NO_LONGER;
    ofSampled = NO_LONGER;
  }

  /** Returns whether a local root span that ends now has to wait. */
  boolean appliesTo(LocalRoot root) {
    if (ofAll >= 0) {
      return true;
    }
    if (ofSampled < 0) {
      return false;
    }
    reportSamples.run();
    return root.isExpecting();
  }

  /** Returns whether all spans are delayed. */
  public boolean isActive() {
    return ofAll >= 0;
  }

  /** Returns whether no spans are delayed any more. */
  boolean hasEnded() {
    return ofAll == NO_LONGER;
  }

  /** Returns whether spans have ever been delayed. */
  public boolean hasBegun() {
    return ofAll != NOT_YET || ofSampled != NOT_YET;
  }

  /** Returns since when all spans are delayed, in milliseconds since the epoch, or 0. */
  public long activeSinceMillis() {
    return activeSinceMillis;
  }

  /** Returns the time up to which spans must have ended to leave at this time. */
  long dueUntil(long now) {
    long ofAllNanos = Math.max(ofAll, 0);
    long ofSampledNanos = ofSampled;
    if (ofSampledNanos < 0) {
      return now - ofAllNanos;
    }
    long sinceDelivery = now - deliveredUntil;
    return now - Math.max(ofAllNanos, Math.min(sinceDelivery, ofSampledNanos));
  }

  /** Returns the longest delay in nanoseconds, or 0 while inactive. */
  public long nanos() {
    return Math.max(Math.max(ofAll, ofSampled), 0);
  }
}
