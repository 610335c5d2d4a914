/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.cases;

import org.junit.jupiter.api.Test;

/** A test that ends the JVM. */
class Ends {
  @Test
  void burnsAndExits() {
    Burn.cpu();
    System.exit(0);
  }
}
