/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.otelprofiling.correlation.ProfilingCorrelation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Applications with an autoconfigured SDK, the plug-in and the embedded profiler. */
class ApplicationTest {
  private static final Logger LOGGER = Logger.getLogger("io.otelprofiling.correlation");
  private static final String PREFIX = "elastic.otel.universal.profiling.integration.";
  private static final AttributeKey<List<String>> IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");
  private static final int SAMPLES = Integer.getInteger("test.samples", 1_500);

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
  private final List<JoinedSample> sampled = new CopyOnWriteArrayList<>();
  private OpenTelemetrySdk sdk;
  private Tracer tracer;

  @BeforeEach
  void start() {
    sdk = configure();
    tracer = sdk.getTracer("test");
  }

  private OpenTelemetrySdk configure() {
    CountDownLatch started = new CountDownLatch(1);
    Handler handler =
        new StreamHandler() {
          @Override
          public void publish(LogRecord record) {
            if (record.getMessage().startsWith("The embedded profiler is on")) {
              started.countDown();
            }
          }
        };
    LOGGER.addHandler(handler);
    EmbeddedAsyncProfiler.addListener((samples, periodNanos) -> sampled.addAll(samples));
    Map<String, String> settings = new HashMap<>();
    settings.put(PREFIX + "embedded.profiler", "on");
    settings.put(PREFIX + "embedded.profiler.period", "1ms");
    settings.put(PREFIX + "samples.metric.attributes", "span.name");
    settings.put(PREFIX + "max.stack.trace.ids", "100000");
    settings.put("otel.traces.exporter", "none");
    settings.put("otel.metrics.exporter", "none");
    settings.put("otel.logs.exporter", "none");
    OpenTelemetrySdk configured =
        AutoConfiguredOpenTelemetrySdk.builder()
            .addPropertiesSupplier(() -> settings)
            .addTracerProviderCustomizer(
                (builder, unused) ->
                    builder.addSpanProcessor(
                        ProfilingCorrelation.correlate(SimpleSpanProcessor.create(exporter))))
            .addMeterProviderCustomizer((builder, unused) -> builder.registerMetricReader(metrics))
            .build()
            .getOpenTelemetrySdk();
    // The samples of spans that begin earlier would belong to no span.
    try {
      assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    LOGGER.removeHandler(handler);
    return configured;
  }

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

  private static long samplesOfEndpoints(List<JoinedSample> samples) {
    return samples.stream().filter(s -> Endpoints.in(s.stackTrace) != Endpoints.NONE).count();
  }

  private void run(List<Runnable> tasks, ExecutorService threads) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (Runnable task : tasks) {
      running.add(
          threads.submit(
              () -> {
                while (samplesOfEndpoints(sampled) < SAMPLES) {
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
    sdk.getSdkTracerProvider().forceFlush().join(10, TimeUnit.SECONDS);

    Map<String, StackTrace> stacks = new HashMap<>();
    for (JoinedSample sample : sampled) {
      StackTrace stack = sample.stackTrace;
      byte[] id = ByteBuffer.allocate(16).putLong(stack.idHigh).putLong(stack.idLow).array();
      stacks.put(Base64.getUrlEncoder().withoutPadding().encodeToString(id), stack);
    }
    long right = 0;
    Map<String, Long> expected = new TreeMap<>();
    for (SpanData span : exporter.getFinishedSpanItems()) {
      List<String> ids = span.getAttributes().get(IDS);
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
            + samplesOfEndpoints(sampled)
            + ", "
            + sampled.stream().filter(sample -> sample.work != null).count()
            + " samples of spans");
    assertThat(right).isEqualTo(samplesOfEndpoints(sampled));
    assertThat(metric()).isEqualTo(expected);
  }

  private Map<String, Long> metric() {
    Map<String, Long> found = new TreeMap<>();
    for (MetricData metric : metrics.collectAllMetrics()) {
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

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void samples_ofVirtualThreads_belongToNoSpan() throws Exception {
    ExecutorService threads =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    run(List.of(() -> request(null, 2_000), () -> request(null, 2_000_000)), threads);
    sdk.getSdkTracerProvider().forceFlush().join(10, TimeUnit.SECONDS);

    assertThat(samplesOfEndpoints(sampled)).isPositive();
    assertThat(sampled)
        .filteredOn(sample -> Endpoints.in(sample.stackTrace) != Endpoints.NONE)
        .allSatisfy(sample -> assertThat(sample.work).isNull())
        .anySatisfy(sample -> assertThat(sample.stackTrace.isOfVirtualThread).isTrue());
    assertThat(exporter.getFinishedSpanItems())
        .isNotEmpty()
        .allSatisfy(span -> assertThat(span.getAttributes().get(IDS)).isNull());
  }
}
