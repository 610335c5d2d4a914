/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.flamespan.correlation.ProfilingCorrelation;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** An autoconfigured SDK with the plug-in, whose embedded profiler runs. */
final class ProfiledSdk implements AutoCloseable {
  private static final Logger LOGGER = Logger.getLogger("io.flamespan.correlation");
  private static final String PREFIX = "flamespan.";

  static final AttributeKey<List<String>> IDS =
      AttributeKey.stringArrayKey("elastic.profiler_stack_trace_ids");

  // The plug-in registers its bean only where somebody has asked for these.
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

  final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  final InMemoryMetricReader metrics = InMemoryMetricReader.create();

  /** All samples that were joined so far. */
  final List<JoinedSample> sampled = new CopyOnWriteArrayList<>();

  private final OpenTelemetrySdk sdk;

  /** Configures it, and waits until the profiler runs: samples before would belong to no span. */
  ProfiledSdk() {
    this(Map.of());
  }

  /**
   * The same with other settings, too.
   *
   * @param more those of the SDK, and others by their names below the common prefix
   */
  ProfiledSdk(Map<String, String> more) {
    this(more, sampler -> sampler);
  }

  ProfiledSdk(Map<String, String> more, UnaryOperator<Sampler> ofSampler) {
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
    more.forEach(
        (name, value) -> settings.put(name.startsWith("otel.") ? name : PREFIX + name, value));
    settings.put("otel.traces.exporter", "none");
    settings.put("otel.metrics.exporter", "none");
    settings.put("otel.logs.exporter", "none");
    sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .addPropertiesSupplier(() -> settings)
            .addSamplerCustomizer((sampler, unused) -> ofSampler.apply(sampler))
            .addTracerProviderCustomizer(
                (builder, unused) ->
                    builder.addSpanProcessor(
                        ProfilingCorrelation.correlate(SimpleSpanProcessor.create(exporter))))
            .addMeterProviderCustomizer((builder, unused) -> builder.registerMetricReader(metrics))
            .build()
            .getOpenTelemetrySdk();
    try {
      assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    LOGGER.removeHandler(handler);
  }

  Tracer tracer() {
    return sdk.getTracer("test");
  }

  /**
   * Lets all samples arrive and all spans leave, and flushes. A flush alone waits for the profiler
   * for a second, in which a busy machine may not run it, and not at all if no span waits.
   */
  void flush() {
    awaitLaterSamples();
    awaitLaterSamples(); // so that all listeners have heard of those before
    await().atMost(1, TimeUnit.MINUTES).until(() -> count("spans.waiting") == 0);
    sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES);
  }

  /** Uses CPU time until samples of it have been delivered. */
  private void awaitLaterSamples() {
    long now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    await()
        .atMost(1, TimeUnit.MINUTES)
        .until(
            () -> {
              long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
              while (System.nanoTime() < end) {}
              return sampled.stream().anyMatch(sample -> sample.epochNanos > now);
            });
  }

  long samplesOfEndpoints() {
    return sampled.stream().filter(s -> Endpoints.in(s.stackTrace) != Endpoints.NONE).count();
  }

  /** Returns how many stack trace ids the exported spans have. */
  long stackTraceIds() {
    long found = 0;
    for (SpanData span : exporter.getFinishedSpanItems()) {
      List<String> ids = span.getAttributes().get(IDS);
      found += ids == null ? 0 : ids.size();
    }
    return found;
  }

  /** Returns a counter of the status. */
  long count(String name) {
    return (Long) status(name);
  }

  Object status(String name) {
    try {
      return BEANS.getAttribute(new ObjectName("io.flamespan.correlation:type=Status"), name);
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    sdk.close();
  }
}
