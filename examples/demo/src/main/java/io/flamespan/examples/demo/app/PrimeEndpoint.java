/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.demo.app;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;

/** Burns CPU by arithmetic in a tight loop over one array: the sieve of Eratosthenes. */
final class PrimeEndpoint implements Endpoint {

  private static final int LIMIT = 10_000_000;

  private final Tracer tracer;

  PrimeEndpoint(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public String respond() {
    Span span = tracer.spanBuilder("sieve").startSpan();
    try (Scope ignored = span.makeCurrent()) {
      return "primes below " + LIMIT + ": " + countPrimes(LIMIT);
    } finally {
      span.end();
    }
  }

  private static int countPrimes(int limit) {
    boolean[] composite = new boolean[limit];
    int count = 0;
    for (int candidate = 2; candidate < limit; candidate++) {
      if (composite[candidate]) {
        continue;
      }
      count++;
      for (long multiple = (long) candidate * candidate; multiple < limit; multiple += candidate) {
        composite[(int) multiple] = true;
      }
    }
    return count;
  }
}
