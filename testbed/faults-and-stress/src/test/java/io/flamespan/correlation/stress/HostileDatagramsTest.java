/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingMetricReader;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: whatever is sent to the socket at full rate, no id reaches a wrong span, nothing grows,
 * and no message that the kernel accepted is lost. {@code -Dtest.datagrams} sets the number of
 * datagrams, {@code -Dtest.seed} repeats a run.
 */
class HostileDatagramsTest {
  private static final boolean EMULATED = Boolean.getBoolean("test.emulated");
  private static final long DATAGRAMS =
      Long.getLong("test.datagrams", EMULATED ? 30_000L : 500_000L);
  private static final long SEED = Long.getLong("test.seed", System.nanoTime());
  private static final int TRAFFIC_THREADS = 4;
  private static final long MEGABYTE = 1 << 20;

  @TempDir Path directory;

  private final RecordingMetricReader metrics = new RecordingMetricReader();
  private final AttackedTraffic traffic = new AttackedTraffic();
  private final Map<String, Long> totals = new HashMap<>();

  @Test
  void datagrams_hostileAtFullRate_neitherMixNorGrowNorLose() throws Exception {
    Path program = HostileSender.compile(directory);
    long began = System.nanoTime();
    try (LogCapturer logs = new LogCapturer();
        CorrelatedSdk app = start()) {
      Path socket = FakeProfiler.sockets(app.socketDir()).get(0);
      attack(app, program, socket, DATAGRAMS / 10, SEED);
      Growth before = Growth.now();
      attack(app, program, socket, DATAGRAMS - DATAGRAMS / 10, SEED + 1);
      Growth after = Growth.now();
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
      System.out.printf(
          "seed %d, %d s: %s%n%d spans with %d ids, %d dropped; %s -> %s%n%s%n",
          SEED,
          seconds,
          totals,
          traffic.spans.get(),
          traffic.ids.get(),
          traffic.droppedIds.get(),
          before,
          after,
          logs.warnings());

      assertThat(totals.get("taken")).isGreaterThanOrEqualTo(DATAGRAMS);
      assertThat(totals.get("real_taken")).isPositive();
      checkCounts();
      checkGrowth(app, before, after);
      // Each kind of problem is logged once a minute.
      assertThat(logs.warnings()).hasSizeLessThanOrEqualTo((int) (6 + 4 * (1 + seconds / 60)));
      assertThat(logs.warnings()).allMatch(line -> line.length() < 600);
    }
  }

  private CorrelatedSdk start() {
    return CorrelatedSdk.start(
        sdk ->
            sdk.addSpanExporterCustomizer((exporter, config) -> traffic)
                .addMeterProviderCustomizer(
                    (builder, config) -> builder.registerMetricReader(metrics)));
  }

  private void attack(CorrelatedSdk app, Path program, Path socket, long datagrams, long seed)
      throws Exception {
    HostileSender sender = new HostileSender(program, socket, datagrams, seed);
    ExecutorService threads = Executors.newFixedThreadPool(TRAFFIC_THREADS);
    try {
      List<Future<?>> served = new ArrayList<>();
      for (int i = 0; i < TRAFFIC_THREADS; i++) {
        served.add(
            threads.submit(
                () -> {
                  traffic.serve(app, sender);
                  return null;
                }));
      }
      for (Future<?> result : served) {
        result.get();
      }
      sender.end().forEach((name, number) -> totals.merge(name, number, Long::sum));
    } finally {
      sender.kill();
      threads.shutdownNow();
      threads.awaitTermination(1, TimeUnit.MINUTES);
    }
    app.flush(); // after everything that the kernel accepted
  }

  private void checkCounts() {
    assertThat(messages("registration", "accepted")).isEqualTo(totals.get("registrations"));
    assertThat(messages("correlation", "accepted")).isEqualTo(totals.get("known"));
    assertThat(messages("correlation", "unknown_local_root")).isEqualTo(totals.get("unknown"));
    assertThat(messages("invalid", "dropped")).isEqualTo(totals.get("invalid"));
    assertThat(sum("stack_trace_ids.attached")).isEqualTo(traffic.ids.get());
    assertThat(sum("stack_trace_ids.dropped")).isEqualTo(traffic.droppedIds.get());
    // A status request is not a profiler message, and is not counted.
    assertThat(sum("messages") + totals.get("empty")).isEqualTo(totals.get("taken"));
  }

  private static void checkGrowth(CorrelatedSdk app, Growth before, Growth after) {
    assertThat(after.heapBytes() - before.heapBytes()).isLessThan(8 * MEGABYTE);
    if (!EMULATED) { // reading an emulated process reads the memory of the emulator
      assertThat(after.residentBytes() - before.residentBytes()).isLessThan(64 * MEGABYTE);
    }
    await().until(() -> Growth.now().files() <= before.files());
    await().until(() -> Growth.now().threads() <= before.threads());
  }

  private long messages(String type, String outcome) {
    return points("messages").stream()
        .filter(point -> type.equals(point.getAttributes().get(AttributeKey.stringKey("type"))))
        .filter(
            point -> outcome.equals(point.getAttributes().get(AttributeKey.stringKey("outcome"))))
        .mapToLong(LongPointData::getValue)
        .sum();
  }

  private long sum(String name) {
    return points(name).stream().mapToLong(LongPointData::getValue).sum();
  }

  private List<LongPointData> points(String name) {
    MetricData metric =
        metrics.collect().stream()
            .filter(found -> found.getName().equals("profiling.correlation." + name))
            .findFirst()
            .orElseThrow();
    return List.copyOf(metric.getLongSumData().getPoints());
  }
}
