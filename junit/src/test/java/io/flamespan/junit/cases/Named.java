/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.cases;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests whose names look like others. */
@DisplayName("[JIRA-1] slow things")
class Named {
  @Test
  void burns() {}

  @RepeatedTest(value = 2, name = "{displayName} {currentRepetition}/{totalRepetitions}")
  void repeats() {}

  @Nested
  @ParameterizedClass(name = "{0}")
  @ValueSource(strings = {"apples", "pears"})
  class Shop {
    @Parameter String what;

    @Test
    void buys() {}
  }
}
