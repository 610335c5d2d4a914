/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class DurationsTest {
  /** GraphFunctionsTest has format.js write the same. */
  @ParameterizedTest
  @CsvFileSource(resources = "/durations.csv", delimiter = '|')
  void duration_ofAnySize_hasThreeDigits(double nanos, String text) {
    assertThat(Durations.text(nanos)).isEqualTo(text);
  }
}
