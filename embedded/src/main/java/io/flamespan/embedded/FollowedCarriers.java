/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.embedded.CarrierReport;
import io.flamespan.correlation.internal.embedded.Carriers;
import io.flamespan.correlation.internal.embedded.Wait;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The carriers of virtual threads, by the ids that the kernel gives them. Used by one thread at a
 * time.
 */
final class FollowedCarriers implements Carriers.Receiver {
  /** A carrier, and what it has reported of late. */
  static final class Carrier {
    final Reports<CarrierReport> reports = new Reports<>();
    private CarrierReport current;

    private Carrier(CarrierReport current) {
      this.current = current;
    }

    /** Returns what a sample of this time belongs to. */
    @Nullable CarrierReport at(long time) {
      return reports.workAt(time, current);
    }
  }

  private final Map<Long, Carrier> carriers = new HashMap<>();
  private final Set<Long> taken = new HashSet<>();
  private final @Nullable Carriers source;
  private boolean areFollowed;

  /** Follows carriers, if something knows what they work for. */
  FollowedCarriers(@Nullable Carriers source) {
    this.source = source;
  }

  /**
   * Begins to follow.
   *
   * @param lastSample as for {@link Carriers#begin}
   * @return whether it does
   */
  boolean begin(@Nullable ByteBuffer lastSample, boolean withWaits) {
    areFollowed = source != null && lastSample != null && source.begin(lastSample, withWaits);
    return areFollowed;
  }

  /** Takes what carriers have reported: the third step of {@link Join#collect}. */
  void take() {
    if (source != null && areFollowed) {
      taken.clear();
      source.take(this);
      carriers.keySet().retainAll(taken);
    }
  }

  /** Returns the waits of virtual threads that have ended since the last call. */
  List<Wait> takeWaits() {
    return source == null || !areFollowed ? Collections.emptyList() : source.takeWaits();
  }

  /** Returns how many were lost. */
  long lostWaits() {
    return source == null || !areFollowed ? 0 : source.lostWaits();
  }

  @Override
  public void onCarrier(long threadId, List<CarrierReport> reports, CarrierReport current) {
    Carrier carrier = carriers.computeIfAbsent(threadId, id -> new Carrier(current));
    for (CarrierReport report : reports) {
      carrier.reports.add(report.time, report);
    }
    carrier.current = current;
    taken.add(threadId);
  }

  /** Returns the carrier, or null if nothing is known of it. */
  @Nullable Carrier get(long threadId) {
    return carriers.get(threadId);
  }

  /** Returns whether a carrier of which nothing is known has worked for no span. */
  boolean areOthersKnown() {
    return source != null && areFollowed && source.areOthersKnown();
  }

  /** Forgets earlier reports. */
  void forgetUntil(long time) {
    carriers.values().forEach(carrier -> carrier.reports.forgetUntil(time));
  }

  /** Ends following. */
  void end() {
    if (source != null && areFollowed) {
      source.end();
    }
    areFollowed = false;
    carriers.clear();
  }
}
