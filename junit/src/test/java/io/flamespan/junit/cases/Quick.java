/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.cases;

import org.junit.jupiter.api.Test;

/** Tests that only have to pass. */
class Quick {
  @Test
  void first() {}

  @Test
  void second() {}
}
