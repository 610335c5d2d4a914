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
  private static final Work EXPORT = new Work(1, 2, 3, 3);
  private static final Work EXPORT_BELOW = new Work(1, 2, 3, 4);
  private static final Work NEXT = new Work(1, 5, 6, 6);

  private @Nullable Work current = NEXT;
  private final WorkHistory history = new WorkHistory(Thread.currentThread(), () -> current, 1_000);

  private @Nullable Work request(long from, long to) {
    return history.ofMost(from, to, WorkHistory::sameRequest);
  }

  private void readCurrent(@Nullable Work work) {
    current = work;
    history.readCurrent();
  }

  @Test
  void work_duringNineTenthsOfATime_isFound() {
    history.add(2_000, EXPORT);
    readCurrent(NEXT);

    assertThat(request(1_100, 2_000)).isSameAs(EXPORT);
    assertThat(request(1_100, 2_100)).isSameAs(EXPORT);
    assertThat(request(1_100, 2_101)).isSameAs(Work.UNKNOWN);
    assertThat(request(1_901, 2_900)).isSameAs(NEXT);
    assertThat(request(1_890, 2_900)).isSameAs(Work.UNKNOWN);
    assertThat(request(2_000, 9_000)).isSameAs(NEXT);
  }

  @Test
  void spansOfOneRequest_together_areTheRequest() {
    for (int i = 0; i < 20; i++) {
      history.add(1_010 + 20 * i, EXPORT);
      history.add(1_020 + 20 * i, EXPORT_BELOW);
    }
    readCurrent(null);

    assertThat(WorkHistory.sameRequest(request(1_000, 1_400), EXPORT)).isTrue();
    assertThat(history.ofMost(1_000, 1_400, WorkHistory::same)).isSameAs(Work.UNKNOWN);
    assertThat(request(1_000, 1_500)).isSameAs(Work.UNKNOWN);
  }

  @Test
  void manyOtherRequests_aroundALongOne_donotHideIt() {
    for (int i = 0; i < 9; i++) {
      history.add(1_001 + i, new Work(1, 10 + i, 1, 1));
    }
    history.add(1_991, EXPORT);
    for (int i = 0; i < 9; i++) {
      history.add(1_992 + i, new Work(1, 10 + i, 1, 1));
    }
    readCurrent(null);

    assertThat(request(1_000, 2_000)).isSameAs(EXPORT);
  }

  @Test
  void time_beforeTheHistory_isUnknown() {
    readCurrent(NEXT);

    assertThat(request(100, 1_000)).isSameAs(Work.UNKNOWN);
    assertThat(request(500, 2_000)).isSameAs(Work.UNKNOWN);
    assertThat(request(950, 2_000)).isSameAs(NEXT);
  }

  @Test
  void noSpan_forMostOfATime_isNull() {
    history.add(2_000, null);
    readCurrent(NEXT);

    assertThat(request(1_000, 2_000)).isNull();
  }

  @Test
  void unknownWork_forMostOfATime_isUnknown() {
    history.add(2_000, Work.UNKNOWN);
    readCurrent(NEXT);

    assertThat(request(1_000, 2_000)).isSameAs(Work.UNKNOWN);
  }

  @Test
  void forgottenWork_isUnknown_andWhatFollowsIsKnown() {
    history.add(2_000, EXPORT);
    history.add(3_000, NEXT);
    readCurrent(null);

    history.forgetUntil(2_500);

    assertThat(request(1_000, 2_000)).isSameAs(Work.UNKNOWN);
    assertThat(request(2_000, 3_000)).isSameAs(NEXT);
    history.forgetUntil(9_000);
    assertThat(request(2_000, 3_000)).isSameAs(Work.UNKNOWN);
    assertThat(request(3_000, 9_000)).isNull();
  }

  @Test
  void changes_beyondTheLimit_forgetTheFirstOnes() {
    for (int i = 0; i <= WorkHistory.LIMIT; i++) {
      history.add(2_000 + 10L * i, new Work(1, i, 1, 1));
    }
    readCurrent(NEXT);

    assertThat(request(2_000, 2_010)).isSameAs(Work.UNKNOWN);
    long last = 2_000 + 10L * WorkHistory.LIMIT;
    assertThat(request(last - 10, last).traceIdLow).isEqualTo(WorkHistory.LIMIT);
    assertThat(request(last, last + 10)).isSameAs(NEXT);
  }

  @Test
  void sameWork_reportedOften_takesNoRoom() {
    for (int i = 0; i < 2 * WorkHistory.LIMIT; i++) {
      history.add(2_000 + i, new Work(1, 2, 3, 3));
    }
    readCurrent(NEXT);

    assertThat(WorkHistory.same(request(1_000, 2_000), EXPORT)).isTrue();
  }
}
