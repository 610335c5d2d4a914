/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.RepeatedTest;

/** Many tests that do nearly nothing. */
class Small {
  @RepeatedTest(5_000)
  void adds() {
    assertEquals(4, 2 + 2);
  }
}
