/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.embedded.Work;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Promise: a holder is named by its request only if its thread worked for no other one. */
class JoinedWaitsTest {
  private static final long MS = 1_000_000;
  private static final long EPOCH = 1_000_000 * MS;
  private static final long ERROR = MS / 2;
  private static final long ORDERING = 7;
  private static final long EXPORTING = 8;
  private static final long IDLE = 9;
  private static final Work ORDER = new Work(1, 1, 1, 5);
  private static final Work EXPORT = new Work(1, 2, 2, 6);
  private static final Work NEXT = new Work(1, 3, 3, 7);

  private final Map<Long, WorkHistory> threads = new HashMap<>();
  private final WorkHistory ordering = history(ORDERING, ORDER);
  private final WorkHistory exporting = history(EXPORTING, NEXT);
  private final JoinedWaits waits = new JoinedWaits(threads, id -> id == IDLE, EPOCH, ERROR);

  private WorkHistory history(long id, @Nullable Work current) {
    WorkHistory history = new WorkHistory(Thread.currentThread(), () -> current, 0);
    threads.put(id, history);
    return history;
  }

  private static MonitorWait wait(long beginMillis, long endMillis, long holder, String name) {
    long nanos = (endMillis - beginMillis) * MS;
    return new MonitorWait(
        EPOCH + beginMillis * MS, nanos, ORDERING, "ordering", holder, name, "com/acme/Book");
  }

  private Holder holder(long beginMillis, long endMillis, long holder) {
    waits.add(wait(beginMillis, endMillis, holder, "exporting"));
    return waits.samples.get(waits.samples.size() - 1).holder;
  }

  @Test
  void wait_ofARequest_isOneSampleWithItsHolder() {
    exporting.add(90 * MS, EXPORT);

    waits.add(wait(20, 80, EXPORTING, "exporting"));

    assertThat(waits.samples).hasSize(1);
    JoinedSample sample = waits.samples.get(0);
    assertThat(sample.kind).isEqualTo(SampleKind.HOLDER);
    assertThat(sample.amount(0)).isEqualTo(60 * MS);
    assertThat(sample.epochNanos).isEqualTo(EPOCH + 20 * MS);
    assertThat(sample.threadName).isEqualTo("ordering");
    assertThat(sample.work).isSameAs(ORDER);
    assertThat(sample.stackTrace.frames.get(0).className).isEqualTo("com.acme.Book");
    assertThat(sample.holder.work).isSameAs(EXPORT);
    assertThat(sample.holder.threadName).isEqualTo("exporting");
  }

  @Test
  void holder_whoseIdTheJvmDoesNotTell_isUnknown() {
    JoinedWaits beforeVirtualThreads = new JoinedWaits(threads, id -> true, EPOCH, ERROR);
    beforeVirtualThreads.add(wait(20, 80, ThreadIds.UNKNOWN, "exporting"));
    beforeVirtualThreads.add(wait(20, 80, MonitorWait.NO_THREAD, ""));

    assertThat(beforeVirtualThreads.samples)
        .extracting(sample -> sample.holder.work)
        .containsExactly(Work.UNKNOWN, null);
  }

  @Test
  void holder_thatServedOtherRequestsBefore_isTheLastOne() {
    exporting.add(60 * MS, NEXT);
    exporting.add(61 * MS, null);
    exporting.add(90 * MS, EXPORT);

    assertThat(holder(20, 80, EXPORTING).work).isSameAs(EXPORT);
    assertThat(holder(20, 72, EXPORTING).work).isSameAs(EXPORT);
    assertThat(holder(20, 70, EXPORTING).work).isSameAs(Work.UNKNOWN);
  }

  @Test
  void holder_thatTurnsToAnotherRequestBeforeTheWaitEnds_isNotThatRequest() {
    exporting.add(75 * MS, EXPORT);

    assertThat(holder(20, 80, EXPORTING).work).isSameAs(Work.UNKNOWN);
    assertThat(holder(77, 80, EXPORTING).work).isSameAs(NEXT); // it has begun before that wait
  }

  @Test
  void holder_thatTurnsToAnotherRequestWhileTheOtherThreadWakesUp_isTheOneBefore() {
    exporting.add(80 * MS - 400_000, EXPORT);

    assertThat(holder(20, 80, EXPORTING).work).isSameAs(EXPORT);
  }

  @Test
  void holder_thatTurnsToSeveralRequestsAtTheEnd_isNotKnown() {
    exporting.add(80 * MS - 400_000, null);
    exporting.add(80 * MS - 200_000, EXPORT);

    assertThat(holder(20, 80, EXPORTING).work).isSameAs(Work.UNKNOWN);
  }

  @Test
  void holder_whoseRequestEndsBeforeTheWaitDoes_isThatRequest() {
    exporting.add(79 * MS, EXPORT);
    exporting.add(90 * MS, null);

    assertThat(holder(20, 80, EXPORTING).work).isSameAs(EXPORT);
  }

  @Test
  void holder_whoseRequestEndedLongBeforeTheWaitDid_isNotKnown() {
    exporting.add(60 * MS, EXPORT);
    exporting.add(90 * MS, null);

    assertThat(holder(20, 80, EXPORTING).work).isSameAs(Work.UNKNOWN);
    assertThat(holder(62, 80, EXPORTING).work).isNull();
  }

  @Test
  void holder_ofARequestThatIsNotSampled_hasItsName() {
    exporting.add(90 * MS, Work.notSampled("GET /pay"));

    assertThat(holder(20, 80, EXPORTING).work.notSampled).isEqualTo("GET /pay");
  }

  @Test
  void wait_ofARequestThatIsNotSampled_hasNoSample() {
    ordering.add(90 * MS, Work.notSampled("GET /order"));
    waits.add(wait(20, 80, EXPORTING, "exporting"));

    assertThat(waits.samples).isEmpty();
  }

  @Test
  void holder_withoutARequest_isKnownByItsThread() {
    exporting.add(90 * MS, null);

    assertThat(holder(20, 80, EXPORTING).work).isNull();
    assertThat(holder(20, 80, IDLE).work).isNull();
    assertThat(holder(20, 80, IDLE).threadName).isEqualTo("exporting");
  }

  @Test
  void holder_thatMayBeAVirtualThread_isNotKnown() {
    assertThat(holder(20, 80, 10).work).isSameAs(Work.UNKNOWN);
  }

  @Test
  void holder_thatWorkedForNoRequestForAPartOfTheTime_isNotKnown() {
    exporting.add(71 * MS, EXPORT);
    exporting.add(90 * MS, null);

    assertThat(holder(20, 80, EXPORTING).work).isSameAs(Work.UNKNOWN);
  }

  @Test
  void holder_thatBeginsARequestAfterTheMonitorWasFree_isNotKnown() {
    exporting.add(77 * MS, null);
    exporting.add(90 * MS, EXPORT);

    assertThat(holder(20, 80, EXPORTING).work).isSameAs(Work.UNKNOWN);
  }

  @Test
  void holder_whoseTurnIsWithinTheError_isNotKnown() {
    exporting.add(80 * MS - 400_000, EXPORT);
    JoinedWaits inaccurate = new JoinedWaits(threads, id -> false, EPOCH, 5 * ERROR);

    inaccurate.add(wait(20, 80, EXPORTING, "exporting"));

    assertThat(inaccurate.samples.get(0).holder.work).isSameAs(Work.UNKNOWN);
  }

  @Test
  void wait_thatIsTooShort_isNoSample() {
    waits.add(
        new MonitorWait(EPOCH + 20 * MS, MS - 1, ORDERING, "ordering", EXPORTING, "", "Book"));

    assertThat(waits.samples).isEmpty();
  }

  @Test
  void holder_amongTooManyThreads_isNotKnown() {
    JoinedWaits some = new JoinedWaits(threads, id -> false, EPOCH, ERROR);

    some.add(wait(20, 80, IDLE, "other"));

    assertThat(some.samples.get(0).holder.work).isSameAs(Work.UNKNOWN);
  }

  @Test
  void waits_ofNoRequest_areLeftOut() {
    ordering.add(50 * MS, null);
    ordering.add(90 * MS, Work.UNKNOWN);

    waits.add(wait(20, 40, EXPORTING, "exporting"));
    waits.add(wait(60, 80, EXPORTING, "exporting"));

    assertThat(waits.samples).isEmpty();
    assertThat(waits.leftOut).isZero();
  }

  /** By its middle, as the time of its begin may be wrong. */
  @Test
  void wait_atTheBeginOfASpan_isOfThatSpan() {
    ordering.add(20 * MS, EXPORT);

    waits.add(wait(20, 21, EXPORTING, "exporting"));

    assertThat(waits.samples.get(0).work).isSameAs(ORDER);
  }

  @Test
  void waits_whoseTimesAreWrong_belongToNobody() {
    ordering.add(20 * MS, EXPORT);
    JoinedWaits wrong = new JoinedWaits(threads, id -> id == IDLE, EPOCH, 3_600_000 * MS);

    wrong.add(wait(100, 110, EXPORTING, "exporting"));

    assertThat(wrong.samples).isEmpty();
  }

  @Test
  void waits_beyondTheLimit_areCounted() {
    for (int i = 0; i < JoinedWaits.MOST + 3; i++) {
      waits.add(wait(20, 80, EXPORTING, "exporting"));
    }

    assertThat(waits.samples).hasSize(JoinedWaits.MOST);
    assertThat(waits.leftOut).isEqualTo(3);
  }
}
