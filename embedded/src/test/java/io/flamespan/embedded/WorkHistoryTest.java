/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.embedded.Work;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WorkHistoryTest {
  private static final long MS = 1_000_000;
  private static final Work EXPORT = new Work(1, 2, 3, 3);
  private static final Work EXPORT_BELOW = new Work(1, 2, 3, 4);
  private static final Work NEXT = new Work(1, 5, 6, 6);

  private @Nullable Work current = NEXT;
  private final WorkHistory history = new WorkHistory(Thread.currentThread(), () -> current, 0);

  private @Nullable Work within(long fromMillis, long toMillis) {
    return history.within(fromMillis * MS, toMillis * MS);
  }

  private void add(long endMillis, @Nullable Work work) {
    history.add(endMillis * MS, work);
  }

  @Test
  void request_thatIsTheOnlyOne_isFound() {
    add(10, null);
    add(20, EXPORT);
    add(25, null);

    assertThat(within(12, 18)).isSameAs(EXPORT);
    assertThat(within(10, 20)).isSameAs(EXPORT);
    assertThat(within(25, 90)).isSameAs(NEXT);
    assertThat(within(20, 25)).isNull();
  }

  @Test
  void time_partlyWithoutARequest_isUnknown() {
    add(10, null);
    add(20, EXPORT);
    add(25, null);

    assertThat(within(5, 20)).isSameAs(Work.UNKNOWN);
    assertThat(within(15, 25)).isSameAs(Work.UNKNOWN);
    assertThat(within(5, 24)).isSameAs(Work.UNKNOWN);
  }

  @Test
  void request_thatIsNotSampled_hasItsName() {
    add(10, Work.notSampled("GET"));
    add(20, EXPORT);
    add(30, Work.notSampled("POST"));
    add(31, Work.UNKNOWN);
    current = Work.notSampled("GET");

    assertThat(within(2, 8).notSampled).isEqualTo("GET");
    assertThat(within(12, 18)).isSameAs(EXPORT);
    assertThat(within(22, 30).notSampled).isEqualTo("POST");
    assertThat(within(22, 31)).isSameAs(Work.UNKNOWN);
    assertThat(within(31, 40).notSampled).isEqualTo("GET");
    assertThat(history.current().notSampled).isEqualTo("GET");
  }

  @Test
  void requests_thatAreNotSampled_ofSeveralNames_areUnknown() {
    add(10, Work.notSampled("GET"));
    add(10, Work.notSampled("POST")); // as short as can be
    add(20, Work.notSampled("POST"));

    assertThat(within(5, 15)).isSameAs(Work.UNKNOWN);
  }

  @Test
  void severalRequests_areUnknown() {
    add(20, EXPORT);

    assertThat(within(15, 20)).isSameAs(EXPORT);
    assertThat(within(15, 21)).isSameAs(Work.UNKNOWN);
    assertThat(within(20, 21)).isSameAs(NEXT);
  }

  @Test
  void time_withoutARequest_isNull() {
    add(20, null);
    add(30, EXPORT);
    current = null;

    assertThat(within(10, 20)).isNull();
    assertThat(within(30, 90)).isNull();
  }

  @Test
  void spansOfOneRequest_areThatRequest_andTheLastSpan() {
    add(10, EXPORT);
    add(20, EXPORT_BELOW);

    assertThat(within(5, 15)).isSameAs(EXPORT_BELOW);
    assertThat(within(5, 5)).isSameAs(EXPORT);
    assertThat(within(15, 15)).isSameAs(EXPORT_BELOW);
  }

  @Test
  void unknownWork_inAnyPartOfATime_isUnknown() {
    add(10, EXPORT);
    add(11, Work.UNKNOWN);
    add(20, EXPORT);

    assertThat(within(5, 20)).isSameAs(Work.UNKNOWN);
    assertThat(within(11, 20)).isSameAs(EXPORT);
    assertThat(within(-1, 5)).isSameAs(Work.UNKNOWN);
  }

  @Test
  void forgottenWork_isUnknown_andWhatFollowsIsKnown() {
    add(20, EXPORT);
    add(30, NEXT);
    current = null;

    history.forgetUntil(25 * MS);

    assertThat(within(10, 20)).isSameAs(Work.UNKNOWN);
    assertThat(within(20, 30)).isSameAs(NEXT);
    history.forgetUntil(90 * MS);
    assertThat(within(20, 30)).isSameAs(Work.UNKNOWN);
    assertThat(within(30, 90)).isNull();
  }

  @Test
  void requests_thatAreMostlyNotSampled_takeNoRoomOfOthers() {
    int between = WorkHistory.LIMIT / 8;
    for (int i = 0; i < 10 * WorkHistory.LIMIT; i++) {
      boolean isSampled = i % between == 1;
      Work work = isSampled ? new Work(1, i, 1, 1) : i % 2 == 1 ? Work.notSampled("GET") : null;
      add(20L * (i + 1), work);
    }

    for (int i = 1; i < 10 * WorkHistory.LIMIT; i += between) {
      assertThat(within(20L * i + 5, 20L * i + 10).traceIdLow).isEqualTo(i);
    }
    assertThat(within(5, 10)).isSameAs(Work.UNKNOWN);
  }

  @Test
  void changes_beyondTheLimit_forgetTheFirstOnes() {
    for (int i = 0; i <= WorkHistory.LIMIT; i++) {
      add(10 * (i + 1), new Work(1, i, 1, 1));
    }

    assertThat(within(5, 10)).isSameAs(Work.UNKNOWN);
    long last = 10L * (WorkHistory.LIMIT + 1);
    assertThat(within(last - 5, last).traceIdLow).isEqualTo(WorkHistory.LIMIT);
    assertThat(within(last, last + 10)).isSameAs(NEXT);
  }

  @Test
  void spansTooShortForAWait_ofOneRequest_takeNoRoom() {
    add(10, EXPORT);
    for (int i = 1; i <= 2 * WorkHistory.LIMIT; i++) {
      history.add(10 * MS + 1_000L * i, i % 2 == 0 ? EXPORT : EXPORT_BELOW);
    }

    assertThat(within(5, 18)).isSameAs(EXPORT);
  }

  @Test
  void history_thatHasEnded_isUnknownAndTakesNothing() {
    add(10, EXPORT);

    history.end();

    assertThat(history.goesOn()).isFalse();
    add(20, EXPORT);
    history.forgetUntil(15 * MS);
    assertThat(within(5, 8)).isSameAs(Work.UNKNOWN);
    assertThat(within(15, 18)).isSameAs(Work.UNKNOWN);
  }
}
