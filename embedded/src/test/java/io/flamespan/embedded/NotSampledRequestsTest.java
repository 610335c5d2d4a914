/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An application of which the sampler keeps a part of the requests. */
class NotSampledRequestsTest {
  private static final int SAMPLES = Integer.getInteger("test.samples", 600);
  private static final AttributeKey<String> NAME = AttributeKey.stringKey("span.name");

  private final ProfiledSdk sdk =
      new ProfiledSdk(
          Map.of(
              "otel.traces.sampler", "parentbased_traceidratio", "otel.traces.sampler.arg", "0.2"));

  @AfterEach
  void close() {
    sdk.close();
  }

  /** A request with a span below it, and with work on another thread. */
  private void request(ExecutorService pool) throws Exception {
    int endpoint = ThreadLocalRandom.current().nextInt(Endpoints.COUNT);
    Span root = sdk.tracer().spanBuilder("" + endpoint).setNoParent().startSpan();
    try (Scope scope = root.makeCurrent()) {
      Endpoints.run(endpoint, 300_000);
      Span child = sdk.tracer().spanBuilder("below").startSpan();
      try (Scope below = child.makeCurrent()) {
        Endpoints.run(endpoint, 300_000);
      }
      child.end();
      pool.submit(Context.current().wrap(() -> Endpoints.run(endpoint, 300_000))).get();
    }
    root.end();
  }

  @Test
  void samples_sampledNotSampledAndWithoutSpan_areAll() throws Exception {
    run(Executors.newFixedThreadPool(2), Executors.newFixedThreadPool(2));
    judge();
  }

  private void run(ExecutorService clients, ExecutorService pool) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      running.add(
          clients.submit(
              () -> {
                while (sdk.samplesOfEndpoints() < SAMPLES) {
                  request(pool);
                }
                return null;
              }));
    }
    for (Future<?> each : running) {
      each.get();
    }
    clients.shutdown();
    pool.shutdown();
    sdk.flush();
  }

  private void judge() {
    List<JoinedSample> sampled = List.copyOf(sdk.sampled); // none of a request comes later
    Map<String, Long> expected = new HashMap<>();
    long withWork = 0;
    for (JoinedSample sample : sampled) {
      int endpoint = Endpoints.in(sample.stackTrace);
      withWork += sample.work == null ? 0 : 1;
      assertThat(endpoint == Endpoints.NONE || sample.work != null || sample.notSampled != null)
          .isTrue();
      if (sample.notSampled != null) {
        assertThat(endpoint).isIn(Endpoints.NONE, Integer.parseInt(sample.notSampled));
        expected.merge(sample.notSampled, 1L, Long::sum);
      }
    }
    long notSampled = sum(expected);
    System.out.println(withWork + " sampled, " + notSampled + " not sampled of " + sampled.size());

    assertThat(notSampled).isGreaterThan(2 * withWork).isLessThan(8 * withWork);
    assertThat(metric("not_sampled.")).isEqualTo(expected);
    assertThat(sum(metric("")) + sdk.count("embedded.late")) // a span waits for ten seconds at most
        .isEqualTo(withWork);
    assertThat(sdk.count("embedded.not.sampled")).isEqualTo(notSampled);
  }

  private static long sum(Map<String, Long> samples) {
    return samples.values().stream().mapToLong(Long::longValue).sum();
  }

  private Map<String, Long> metric(String of) {
    Map<String, Long> found = new HashMap<>();
    for (MetricData metric : sdk.metrics.collectAllMetrics()) {
      if (metric.getName().equals("profiling.correlation." + of + "sampled_time")) {
        for (DoublePointData point : metric.getDoubleSumData().getPoints()) {
          found.put(
              point.getAttributes().get(NAME),
              Math.round(point.getValue() * 1_000)); // a sample is a millisecond
        }
      }
    }
    return found;
  }
}
