/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrimesTest {
  @ParameterizedTest
  @ValueSource(ints = {10, 40_000})
  void bothWays_findTheSame(int limit) {
    assertEquals(Primes.quickly(limit), Primes.slowly(limit));
  }

  @Test
  void sieve_ofAMillion_hasAllPrimes() {
    assertEquals(78_498, Primes.quickly(1_000_000).size());
  }
}
