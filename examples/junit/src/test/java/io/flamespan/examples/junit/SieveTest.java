/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.RepeatedTest;

class SieveTest {
  @RepeatedTest(5)
  void sieve_ofHundred_has25Primes() {
    assertEquals(25, Primes.quickly(100).size());
  }
}
