/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.embedded.CarrierReport;
import io.flamespan.correlation.internal.embedded.Carriers;
import io.flamespan.correlation.internal.embedded.ThreadSamples;
import io.flamespan.correlation.internal.embedded.Wait;
import io.flamespan.correlation.internal.embedded.Work;
import io.flamespan.correlation.internal.localroot.LocalRootSampler;
import io.flamespan.correlation.internal.nativelib.NativeBridge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Carriers whose virtual threads show their traces in records. The library must be loaded. */
final class NativeCarriers implements Carriers {
  // As in carrier_samples.h: the most that a carrier can have reported.
  private static final int MAX_REPORTS = 2048;

  // A work: a state, and the ids of a record in network byte order.
  private static final int WORK_LENGTH = 40;
  private static final int NO_TRACE = 0;
  private static final int TRACE = 1;
  private static final int NOT_SAMPLED = 3; // with a number in place of the local root's id

  // A report: a time, whether no virtual thread was mounted, and two works.
  private static final int REPORT_LENGTH = 16 + 2 * WORK_LENGTH;

  // Before the reports: thread id, whether it has ended, count, current.
  private static final int HEADER_LENGTH = 24 + REPORT_LENGTH;

  // The numbers stay with virtual threads.
  private static final NotSampledNames NAMES = new NotSampledNames();

  /** The samples of the calling virtual thread, whichever that is. */
  static final ThreadSamples OF_VIRTUAL_THREADS =
      new ThreadSamples() {
        /** Has reported them, too, because only native code knows the carrier. */
        @Override
        public boolean areNew() {
          return NativeBridge.wasVirtualThreadSampled0();
        }

        @Override
        public void report(@Nullable Work work) {
          // Done.
        }
      };

  private final VirtualThreads virtualThreads;
  private final ByteBuffer taken =
      ByteBuffer.allocateDirect(HEADER_LENGTH + MAX_REPORTS * REPORT_LENGTH)
          .order(ByteOrder.nativeOrder());
  private final ByteBuffer ids = taken.duplicate().order(ByteOrder.BIG_ENDIAN);
  private Set<Long> ended = new HashSet<>();
  private @Nullable NativeWaits waits; // null if they are not wanted

  private NativeCarriers(VirtualThreads virtualThreads) {
    this.virtualThreads = virtualThreads;
  }

  /** A constructor would have the JVM load the interface to verify its callers, at each start. */
  static Carriers of(VirtualThreads virtualThreads) {
    return new NativeCarriers(virtualThreads);
  }

  /**
   * Says which local root span that is not sampled the calling virtual thread works for, which must
   * have reported before. Virtual threads must be followed.
   *
   * @param name the span's name, or null if there is none
   */
  static void noteNotSampled(@Nullable String name) {
    NativeBridge.noteNotSampled0(Thread.currentThread(), name == null ? 0 : NAMES.numberOf(name));
  }

  @Override
  public boolean begin(ByteBuffer lastSample, boolean withWaits) {
    waits = withWaits ? new NativeWaits() : null;
    return NativeBridge.followCarriers0(lastSample, withWaits);
  }

  @Override
  public boolean areOthersKnown() {
    return virtualThreads.canBeShown() && NativeBridge.carriersAreKnown0();
  }

  @Override
  public void take(Receiver receiver) {
    Set<Long> endedNow = new HashSet<>();
    for (long carrier = NativeBridge.nextCarrier0(0); carrier != 0; ) {
      NativeBridge.takeReports0(carrier, taken);
      boolean hasEnded = taken.getLong(8) != 0;
      List<CarrierReport> reports = new ArrayList<>();
      for (long i = taken.getLong(16); i > 0; i--) {
        reports.add(report(HEADER_LENGTH + reports.size() * REPORT_LENGTH));
      }
      receiver.onCarrier(taken.getLong(0), reports, report(24));
      long next = NativeBridge.nextCarrier0(carrier);
      if (hasEnded && ended.contains(carrier)) {
        NativeBridge.forgetCarrier0(carrier);
      } else if (hasEnded) {
        endedNow.add(carrier);
      }
      carrier = next;
    }
    ended = endedNow;
  }

  private CarrierReport report(int at) {
    return new CarrierReport(
        taken.getLong(at), taken.getLong(at + 8) != 0, work(at + 16), work(at + 16 + WORK_LENGTH));
  }

  private @Nullable Work work(int at) {
    switch ((int) taken.getLong(at)) {
      case NO_TRACE:
        return null;
      case TRACE:
        return new Work(
            ids.getLong(at + 8), ids.getLong(at + 16), ids.getLong(at + 32), ids.getLong(at + 24));
      case NOT_SAMPLED:
        return LocalRootSampler.keepsNames()
            ? Work.notSampled(NAMES.nameOf(taken.getLong(at + 32)))
            : null;
      default:
        return Work.UNKNOWN;
    }
  }

  @Override
  public List<Wait> takeWaits() {
    return waits == null ? Collections.emptyList() : waits.take();
  }

  @Override
  public long lostWaits() {
    return NativeBridge.lostWaits0();
  }

  @Override
  public void end() {
    NativeBridge.forgetCarriers0();
  }
}
