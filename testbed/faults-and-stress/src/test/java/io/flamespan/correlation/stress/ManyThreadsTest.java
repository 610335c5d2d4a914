/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecodedRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Short-lived threads that leave their scopes open do not leak memory. */
@DisabledIfSystemProperty(
    named = "test.emulated",
    matches = "true",
    disabledReason = "qemu 7.2 keeps 300 kB for each ended thread")
class ManyThreadsTest {
  private static final int THREADS = 40_000;
  private static final int AT_ONCE = 50;

  @Test
  void threads_fortyThousand_leaveNoMemoryBehind() throws Exception {
    try (CorrelatedSdk app = CorrelatedSdk.start("otel.traces.exporter", "none")) {
      AtomicInteger wrong = new AtomicInteger();
      startAndEndThreads(app.tracer(), THREADS / 10, wrong);
      long before = residentKilobytes();
      startAndEndThreads(app.tracer(), THREADS, wrong);
      long grown = residentKilobytes() - before;

      assertThat(wrong).hasValue(0);
      // A leaked record and its Java view would be about 300 bytes per thread; a thread's stack
      // more.
      assertThat(grown).as("growth of resident memory in kB").isLessThan(THREADS * 200L / 1024);
    }
  }

  private static void startAndEndThreads(Tracer tracer, int count, AtomicInteger wrong)
      throws InterruptedException {
    Thread[] threads = new Thread[AT_ONCE];
    for (int started = 0; started < count; started += AT_ONCE) {
      for (int i = 0; i < AT_ONCE; i++) {
        threads[i] = new Thread(() -> leaveAScopeOpen(tracer, wrong));
        threads[i].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    System.gc();
  }

  private static void leaveAScopeOpen(Tracer tracer, AtomicInteger wrong) {
    boolean cleanBefore = DecodedRecord.ofCurrentThread().showsNoTrace();
    Span span = tracer.spanBuilder("root").startSpan();
    span.makeCurrent();
    if (!cleanBefore || !DecodedRecord.ofCurrentThread().shows(span, span)) {
      wrong.incrementAndGet();
    }
  }

  private static long residentKilobytes() throws IOException {
    return Files.readAllLines(Paths.get("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
