/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.localroot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StackTraceIdsTest {
  private static final int MAX = 100_000;

  private final StackTraceIds ids = new StackTraceIds();

  @Test
  void ids_withCounts_areRepeated() {
    ids.add(0x60b420bb3851d9d4L, 0x7acb933dbe70399bL, 2, MAX);
    ids.add(0x4c9326bb9805fa8fL, 0x85882c12eae724ceL, 1, MAX);
    ids.add(0x60b420bb3851d9d4L, 0x7acb933dbe70399bL, 1, MAX);

    assertThat(ids.freeze())
        .containsExactlyInAnyOrder(
            "YLQguzhR2dR6y5M9vnA5mw",
            "YLQguzhR2dR6y5M9vnA5mw",
            "TJMmu5gF-o-FiCwS6uckzg",
            "YLQguzhR2dR6y5M9vnA5mw");
  }

  @Test
  void ids_byIndexAndByIterator_areTheSame() {
    ids.add(1, 1, 3, MAX);
    ids.add(2, 2, 1, MAX);
    ids.add(3, 3, 65_535, MAX);
    List<String> list = ids.freeze();
    List<String> byIndex = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      byIndex.add(list.get(i));
    }
    assertThat(list).hasSize(65_539).isEqualTo(byIndex);
    assertThat(byIndex).isEqualTo(List.copyOf(list));
    assertThatThrownBy(() -> list.get(65_539)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void add_beyondTheLimit_acceptsWhatFits() {
    assertThat(ids.add(1, 1, 3, 5)).isEqualTo(3);
    assertThat(ids.add(2, 2, 65_535, 5)).isEqualTo(2);
    assertThat(ids.add(3, 3, 1, 5)).isZero();

    assertThat(ids.freeze()).hasSize(5);
    assertThat(ids.samples()).as("including those beyond the limit").isEqualTo(65_539);
  }

  @Test
  void collected_calledAgain_reportsOnlyWhatCameSince() {
    ids.add(1, 1, 3, MAX);
    assertThat(ids.collected().unreported()).isEqualTo(3);
    ids.add(2, 2, 1, MAX);
    CollectedSamples second = ids.collected();

    assertThat(second.unreported()).isEqualTo(1);
    assertThat(second.count()).isEqualTo(4);
    assertThat(second.ids()).hasSize(4);
    assertThat(ids.collected().unreported()).isZero();
  }

  @Test
  @Timeout(
      value = 120,
      threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a search would take a quarter of an hour
  void add_idsWithOneHash_doesNotSearchAll() {
    int count = 1 << 18;
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i < count; i++) {
        ids.add(i, i, 1, 2 * count);
      }
    }

    assertThat(ids.freeze()).hasSize(2 * count);
  }
}
