/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListsTest {
  private static final long LARGE = 1L << 40;

  private static Lists lists(boolean isSet) {
    Lists lists = new Lists();
    lists.begin();
    lists.add(7);
    lists.add(-1);
    lists.begin();
    lists.begin();
    lists.add(isSet ? 0 : LARGE);
    if (isSet) {
      lists.set(LARGE);
    }
    lists.add(8);
    lists.set(9);
    lists.trim();
    return lists;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void numbers_thatBecomeLarge_areKeptWithThoseBefore(boolean isSet) {
    Lists lists = lists(isSet);

    assertThat(lists.size()).isEqualTo(3);
    assertThat(lists.size(0)).isEqualTo(2);
    assertThat(lists.size(1)).isZero();
    assertThat(lists.size(2)).isEqualTo(2);
    assertThat(lists.get(0, 0)).isEqualTo(7);
    assertThat(lists.get(0, 1)).isEqualTo(-1);
    assertThat(lists.get(2, 0)).isEqualTo(LARGE);
    assertThat(lists.get(2, 1)).isEqualTo(9);
    assertThat(lists.equalTo(lists(!isSet))).isTrue();
    assertThat(lists.hash()).isEqualTo(lists(!isSet).hash());
    lists.add(1);
    assertThat(lists.equalTo(lists(isSet))).isFalse();
  }
}
