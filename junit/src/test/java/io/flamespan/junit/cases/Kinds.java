/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.cases;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of each kind. */
class Kinds {
  @BeforeAll
  static void burnsBefore() {
    Burn.cpu();
  }

  @Test
  void burns() {
    Burn.cpu();
  }

  @Test
  @DisplayName("another name")
  void fails() {
    fail();
  }

  @Test
  void aborts() {
    assumeTrue(false);
  }

  @Test
  @Disabled
  void skipped() {}

  @ParameterizedTest
  @ValueSource(strings = {"apples", "pears"})
  void buys(String what) {
    if (what.equals("pears")) {
      burnsForPears();
    }
  }

  private static void burnsForPears() {
    Burn.cpu();
  }

  @RepeatedTest(2)
  void repeats() {}

  @TestFactory
  Stream<DynamicNode> makes() {
    return Stream.of(
        dynamicTest("even", () -> {}),
        dynamicContainer("odd", Stream.of(dynamicTest("three", () -> {}))));
  }

  @Nested
  class Inner {
    @Test
    void burnsInside() {
      Burn.cpu();
    }
  }
}
