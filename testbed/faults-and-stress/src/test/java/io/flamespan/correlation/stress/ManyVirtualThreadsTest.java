/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.VirtualThreadFactory;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Short-lived virtual threads that leave their scopes open do not leak memory. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads need Java 21")
class ManyVirtualThreadsTest {
  private static final int THREADS = 1_000_000;
  private static final int AT_ONCE = 200;
  private static final int BYTES_OF_A_RECORD = 37;

  @Test
  void virtualThreads_aMillion_leaveNoMemoryBehind() throws Exception {
    try (CorrelatedSdk app = CorrelatedSdk.start("otel.traces.exporter", "none")) {
      ThreadFactory virtual = VirtualThreadFactory.create();
      startAndEndThreads(virtual, app.tracer(), THREADS / 10);
      Memory before = Memory.now();
      startAndEndThreads(virtual, app.tracer(), THREADS);

      // A leaked record or object for each thread would exceed this.
      long limit = (long) THREADS * BYTES_OF_A_RECORD;
      // A thread of the JVM frees buffers some time after the collection.
      await()
          .untilAsserted(
              () -> {
                Memory after = Memory.now();
                assertThat(after.resident - before.resident).as("resident").isLessThan(limit);
                assertThat(after.heap - before.heap).as("heap").isLessThan(limit / 2);
                assertThat(after.direct - before.direct).as("buffers").isLessThan(limit / 10);
              });
    }
  }

  @Test
  @DisabledIfSystemProperty(
      named = "test.emulated",
      matches = "true",
      disabledReason = "does not depend on the CPU, and emulation takes minutes")
  void directMemory_ofTheApplication_isNotUsed() throws Exception {
    ChildJvm.Result result =
        new ChildJvm()
            .jvmArgument("-XX:MaxDirectMemorySize=5m")
            .jvmArgument("-Xlog:gc:stdout")
            .property("otel.traces.exporter", "none")
            .property("otel.metrics.exporter", "none")
            .property("otel.logs.exporter", "none")
            .run(ShortVirtualThreadsApp.class, String.valueOf(THREADS));

    assertThat(result.status()).as(result.output()).isZero();
    // The JVM collects when direct memory is short: once for each buffer of the application.
    Matcher collections = Pattern.compile("\\(System\\.gc\\(\\)\\)").matcher(result.output());
    assertThat(collections.results().count()).isLessThanOrEqualTo(buffers(result.output()));
    assertThat(result.output()).contains("Flamespan is on").doesNotContain("WARNING");
  }

  private static long buffers(String output) {
    Matcher buffers = Pattern.compile("buffers: (\\d+)").matcher(output);
    assertThat(buffers.find()).as(output).isTrue();
    return Long.parseLong(buffers.group(1));
  }

  private static void startAndEndThreads(ThreadFactory virtual, Tracer tracer, int count)
      throws InterruptedException {
    Semaphore places = new Semaphore(AT_ONCE);
    for (int i = 0; i < count; i++) {
      places.acquire();
      Runnable task =
          () -> {
            Span span = tracer.spanBuilder("root").startSpan();
            span.makeCurrent();
            Thread.yield();
            span.end();
            places.release();
          };
      virtual.newThread(task).start();
    }
    places.acquire(AT_ONCE);
  }

  private record Memory(long resident, long heap, long direct) {
    static Memory now() throws IOException {
      System.gc();
      MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
      long direct =
          ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
              .filter(pool -> pool.getName().equals("direct"))
              .mapToLong(BufferPoolMXBean::getMemoryUsed)
              .sum();
      return new Memory(residentKilobytes() * 1024, heap.getUsed(), direct);
    }

    private static long residentKilobytes() throws IOException {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElseThrow();
    }
  }
}
