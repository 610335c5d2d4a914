/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import java.nio.ByteBuffer;

/**
 * What native code reports of carriers that a profiler in this process samples. The {@link
 * NativeLibrary} must be loaded. One profiler at a time may use it.
 */
public final class CarrierSamples {
  /** The most that a carrier can have reported. */
  public static final int MAX_REPORTS = 2048;

  /** The length of a work: a state, and the ids of a record in network byte order. */
  public static final int WORK_LENGTH = 40;

  /** The length of a report: a time, whether no virtual thread was mounted, and two works. */
  public static final int REPORT_LENGTH = 16 + 2 * WORK_LENGTH;

  /** The length of what precedes the reports: thread id, whether it has ended, count, current. */
  public static final int HEADER_LENGTH = 24 + REPORT_LENGTH;

  /** States of a work. */
  public static final int NO_TRACE = 0;

  public static final int TRACE = 1;
  public static final int UNKNOWN = 2;

  /**
   * Follows carriers from now on.
   *
   * @param lastSample the memory in which the profiler keeps the time of the calling thread's last
   *     sample
   * @return false if the profiler is not found
   */
  public static boolean begin(ByteBuffer lastSample) {
    return NativeBridge.followCarriers0(lastSample);
  }

  /** Follows no carrier from now on. */
  public static void end() {
    NativeBridge.forgetCarriers0();
  }

  /** Returns whether carriers of which nothing is known have worked for no trace. */
  public static boolean areOthersKnown() {
    return NativeBridge.carriersAreKnown0();
  }

  /**
   * Reports new samples of the calling virtual thread, before what it shows changes. Returns
   * whether there were any since the last call.
   */
  public static boolean report() {
    return NativeBridge.wasVirtualThreadSampled0();
  }

  /** Returns a handle of the carrier after this one, or of the first one for 0; 0 at the end. */
  public static long next(long carrier) {
    return NativeBridge.nextCarrier0(carrier);
  }

  /**
   * Takes what a carrier has reported since the last call.
   *
   * @param taken a direct buffer for {@link #MAX_REPORTS} and the header
   */
  public static void take(long carrier, ByteBuffer taken) {
    NativeBridge.takeReports0(carrier, taken);
  }

  /** Frees a carrier that was said to have ended. */
  public static void forget(long carrier) {
    NativeBridge.forgetCarrier0(carrier);
  }

  private CarrierSamples() {}
}
