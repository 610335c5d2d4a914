/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
  /** As format.js writes them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 0 ns",
        "999 | 999 ns",
        "1000 | 1.00 µs",
        "9996000 | 10.0 ms",
        "99960000 | 100 ms",
        "612000000 | 612 ms",
        "1500000000 | 1.50 s",
        "119000000000 | 119 s",
        "5002000000000 | 83.4 min",
        "7200000000000 | 2.00 h"
      })
  void duration_ofAnySize_hasThreeDigits(double nanos, String text) {
    assertThat(Durations.text(nanos)).isEqualTo(text);
  }
}
