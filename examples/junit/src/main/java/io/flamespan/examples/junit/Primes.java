/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.junit;

import java.util.ArrayList;
import java.util.List;

/** Finds primes, in two ways. */
final class Primes {
  /** Returns those below a limit, by dividing each number by all smaller ones. */
  static List<Integer> slowly(int limit) {
    List<Integer> primes = new ArrayList<>();
    for (int number = 2; number < limit; number++) {
      if (isPrime(number)) {
        primes.add(number);
      }
    }
    return primes;
  }

  private static boolean isPrime(int number) {
    for (int divisor = 2; divisor < number; divisor++) {
      if (number % divisor == 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns those below a limit, by a sieve. */
  static List<Integer> quickly(int limit) {
    boolean[] isComposite = new boolean[limit];
    List<Integer> primes = new ArrayList<>();
    for (int number = 2; number < limit; number++) {
      if (!isComposite[number]) {
        primes.add(number);
        for (long multiple = (long) number * number; multiple < limit; multiple += number) {
          isComposite[(int) multiple] = true;
        }
      }
    }
    return primes;
  }

  private Primes() {}
}
