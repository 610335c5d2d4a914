/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.embedded;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * What the carriers of virtual threads work for, and how long these wait. Native code reports it,
 * because only that can do so at mounts and unmounts. Used by the thread that collects samples.
 */
public interface Carriers {
  /**
   * Follows carriers from now on. Called before samples are taken.
   *
   * @param lastSample the memory in which async-profiler keeps the time of the calling thread's
   *     last sample
   * @param withWaits whether waits of virtual threads are wanted
   * @return false if native code does not find async-profiler
   */
  boolean begin(ByteBuffer lastSample, boolean withWaits);

  /** Returns whether a carrier that has reported nothing has worked for no span. */
  boolean areOthersKnown();

  /**
   * Takes the reports since the last call. What is current is read before. So a sample that was
   * collected before this call belongs to the first report at its time or later, or else to what is
   * current.
   */
  void take(Receiver receiver);

  /** Returns the waits of virtual threads that have ended since the last call. */
  List<Wait> takeWaits();

  /** Returns how many of them were lost, because there were too many. */
  long lostWaits();

  /** Follows no carrier from now on. */
  void end();

  /** Receives reports. */
  interface Receiver {
    /**
     * Receives the reports of one carrier, the earliest first. A thread that has ended is reported
     * twice: the second time is after its last samples were collected.
     *
     * @param threadId the id that the kernel gives the thread
     */
    void onCarrier(long threadId, List<CarrierReport> reports, CarrierReport current);
  }
}
