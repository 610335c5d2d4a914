/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Applications with an autoconfigured SDK, the plug-in and the embedded profiler. */
class ApplicationTest {
  private static final int SAMPLES = Integer.getInteger("test.samples", 1_500);

  private final ProfiledSdk sdk = new ProfiledSdk();
  private final Tracer tracer = sdk.tracer();
  private final List<JoinedSample> sampled = sdk.sampled;

  @AfterEach
  void close() {
    sdk.close();
  }

  /** A request with a span below it. */
  private void request(ExecutorService pool, long nanos) {
    int endpoint = ThreadLocalRandom.current().nextInt(Endpoints.COUNT);
    Span root = tracer.spanBuilder("" + endpoint).setNoParent().startSpan();
    try (Scope scope = root.makeCurrent()) {
      Endpoints.run(endpoint, nanos);
      Span child = tracer.spanBuilder("below").startSpan();
      try (Scope below = child.makeCurrent()) {
        Endpoints.run(endpoint, nanos / 4);
      }
      child.end();
      if (pool != null) {
        pool.submit(Context.current().wrap(() -> Endpoints.run(endpoint, nanos))).get();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    root.end();
  }

  private void run(List<Runnable> tasks, ExecutorService threads) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (Runnable task : tasks) {
      running.add(
          threads.submit(
              () -> {
                while (sdk.samplesOfEndpoints() < SAMPLES) {
                  task.run();
                }
              }));
    }
    for (Future<?> task : running) {
      task.get();
    }
    threads.shutdown();
  }

  @Test
  void spans_ofEndpoints_haveTheirStacksAndNoOthers() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    List<Runnable> tasks =
        List.of(
            () -> request(pool, 2_000),
            () -> request(null, 200_000),
            () -> request(pool, 20_000_000),
            () -> request(null, 1_000_000_000),
            () -> {
              Thread dying = new Thread(() -> request(null, 2_000_000));
              dying.start();
              try {
                dying.join();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    run(tasks, Executors.newFixedThreadPool(tasks.size()));
    pool.shutdown();
    sdk.flush();

    Map<String, StackTrace> stacks = new HashMap<>();
    for (JoinedSample sample : sampled) {
      StackTrace stack = sample.stackTrace;
      byte[] id = ByteBuffer.allocate(16).putLong(stack.idHigh).putLong(stack.idLow).array();
      stacks.put(Base64.getUrlEncoder().withoutPadding().encodeToString(id), stack);
    }
    long right = 0;
    Map<String, Long> expected = new TreeMap<>();
    for (SpanData span : sdk.exporter.getFinishedSpanItems()) {
      List<String> ids = span.getAttributes().get(ProfiledSdk.IDS);
      if (ids != null) {
        expected.merge(span.getName(), (long) ids.size(), Long::sum);
        for (String id : ids) {
          int endpoint = Endpoints.in(stacks.get(id));
          assertThat(endpoint).isIn(Endpoints.NONE, Integer.parseInt(span.getName()));
          right += endpoint == Endpoints.NONE ? 0 : 1;
        }
      }
    }
    System.out.println(
        right
            + " right of "
            + sdk.samplesOfEndpoints()
            + ", "
            + sampled.stream().filter(sample -> sample.work != null).count()
            + " samples of spans");
    // A span waits for ten seconds at most, in which a starved profiler may not deliver.
    long late = sdk.count("embedded.late");
    assertThat(late).isLessThan(right / 4);
    assertThat(sdk.samplesOfEndpoints() - right)
        .as("not joined: %d", sdk.count("embedded.unjoined"))
        .isBetween(0L, late);
    assertThat(metric()).isEqualTo(expected);
  }

  private Map<String, Long> metric() {
    Map<String, Long> found = new TreeMap<>();
    for (MetricData metric : sdk.metrics.collectAllMetrics()) {
      if (metric.getName().equals("profiling.correlation.sampled_time")) {
        for (DoublePointData point : metric.getDoubleSumData().getPoints()) {
          found.put(
              point.getAttributes().get(AttributeKey.stringKey("span.name")),
              Math.round(point.getValue() * 1_000)); // a sample is a millisecond
        }
      }
    }
    return found;
  }
}
