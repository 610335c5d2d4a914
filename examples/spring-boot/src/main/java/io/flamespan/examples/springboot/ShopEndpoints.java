/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.springboot;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints that use CPU, only take time, or do neither. The starter traces all of them. */
@RestController
class ShopEndpoints {
  private static final int MAX_NUMBER = 1_000_000; // takes about 0.2 s of CPU time

  private final Tracer tracer;

  ShopEndpoints(OpenTelemetry openTelemetry) {
    tracer = openTelemetry.getTracer("spring-shop");
  }

  /** Does half of the work in a child span of the request's span. */
  @GetMapping("/busy")
  String busy() {
    int primes = countPrimes(2, MAX_NUMBER / 2);
    Span span = tracer.spanBuilder("count more primes").startSpan();
    try (Scope scope = span.makeCurrent()) {
      primes += countPrimes(MAX_NUMBER / 2, MAX_NUMBER);
    } finally {
      span.end();
    }
    return Thread.currentThread() + " counted " + primes + " primes";
  }

  @GetMapping("/idle")
  String idle() throws InterruptedException {
    Thread.sleep(30);
    return Thread.currentThread() + " waited";
  }

  @GetMapping("/quick")
  String quick() {
    return "quick";
  }

  private static int countPrimes(int from, int to) {
    int primes = 0;
    for (int number = from; number < to; number++) {
      primes += isPrime(number) ? 1 : 0;
    }
    return primes;
  }

  private static boolean isPrime(int number) {
    for (int divisor = 2; divisor * divisor <= number; divisor++) {
      if (number % divisor == 0) {
        return false;
      }
    }
    return true;
  }
}
