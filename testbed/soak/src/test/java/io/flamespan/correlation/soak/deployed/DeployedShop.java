/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.deployed;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.soak.app.Deployed;
import io.flamespan.correlation.soak.app.Site;
import io.flamespan.correlation.testing.RecordingMetricReader;
import io.flamespan.correlation.testing.RelatedIds;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** The traced application. */
public final class DeployedShop implements Deployed {
  static final AttributeKey<Long> NUMBER = AttributeKey.longKey("soak.number");

  private static final int CLOSE_SECONDS = 120;

  private final Site site;
  private final RecordingMetricReader metrics = new RecordingMetricReader();
  private final ReentrantLock lock = new ReentrantLock();
  private final Object monitor = new Object();
  private final OpenTelemetrySdk sdk;
  private final Tracer tracer;
  private volatile boolean closing;

  /** Builds an SDK. Its number selects one of the supported ways to do so. */
  public DeployedShop(Site site, int number) {
    this.site = site;
    Map<String, String> settings = new HashMap<>(site.settings());
    settings.put("flamespan.enabled", number % 3 == 2 ? "auto" : "true");
    boolean added = number % 2 == 1;
    settings.put("otel.traces.exporter", added ? "none" : "otlp");
    AutoConfiguredOpenTelemetrySdkBuilder builder =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .setServiceClassLoader(DeployedShop.class.getClassLoader())
            .addPropertiesSupplier(() -> settings)
            .addMeterProviderCustomizer((meters, config) -> meters.registerMetricReader(metrics))
            .addTracerProviderCustomizer((spans, config) -> spans.setIdGenerator(new RelatedIds()));
    if (added) {
      BatchSpanProcessor batches =
          BatchSpanProcessor.builder(new SwitchableExporter(site.downstream())).build();
      builder.addTracerProviderCustomizer(
          (spans, config) ->
              spans.addSpanProcessor(
                  ProfilingCorrelation.correlate(new CountingProcessor(site, batches))));
    } else {
      builder.addSpanExporterCustomizer(
          (unused, config) -> {
            unused.shutdown();
            return new SwitchableExporter(site.downstream());
          });
      builder.addSpanProcessorCustomizer(
          (processor, config) -> new CountingProcessor(site, processor));
    }
    sdk = builder.build().getOpenTelemetrySdk();
    tracer = sdk.getTracer("soak");
  }

  @Override
  public void request(int rounds) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    // Started while nothing is current, see RelatedIds.
    NumberedSpan other = random.nextInt(4) == 0 ? start("other", SpanKind.CONSUMER) : null;
    NumberedSpan root = start("request", SpanKind.SERVER);
    try (Scope scope = root.span.makeCurrent()) {
      compute(root, rounds);
      NumberedSpan child = start("query", SpanKind.CLIENT);
      try (Scope childScope = child.span.makeCurrent()) {
        compute(child, rounds);
        leaveTheProcessor(random.nextInt(12));
        compute(child, rounds);
      } finally {
        end(child, false);
      }
      if (other != null) {
        anotherTrace(other, rounds, random.nextInt(12));
      }
      compute(root, rounds);
    } finally {
      end(root, true);
    }
  }

  /** Switches directly from one trace to another, and back. */
  private void anotherTrace(NumberedSpan other, int rounds, int pause) {
    try (Scope scope = other.span.makeCurrent()) {
      compute(other, rounds);
      leaveTheProcessor(pause);
    } finally {
      end(other, true);
    }
  }

  private void compute(NumberedSpan current, int rounds) {
    site.times().compute(this, current.span.getSpanContext().getSpanId(), rounds);
  }

  private void leaveTheProcessor(int how) {
    switch (how) {
      case 0, 1 -> Thread.yield();
      case 2 -> LockSupport.parkNanos(500_000);
      case 3 -> {
        lock.lock();
        try {
          Thread.yield();
        } finally {
          lock.unlock();
        }
      }
      case 4 -> {
        synchronized (monitor) {
          Thread.yield();
        }
      }
      default -> {
        // does not block
      }
    }
  }

  private NumberedSpan start(String name, SpanKind kind) {
    long number = site.ledger().next();
    return new NumberedSpan(
        number,
        tracer.spanBuilder(name).setSpanKind(kind).setAttribute(NUMBER, number).startSpan());
  }

  private void end(NumberedSpan span, boolean localRoot) {
    span.span.end();
    // Read after the end has returned: from then on, nothing may prevent the span's arrival.
    if (!closing) {
      site.ledger().due(span.number);
    } else if (localRoot) {
      site.ledger()
          .excused(span.span.getSpanContext().getTraceId(), span.span.getSpanContext().getSpanId());
    }
  }

  @Override
  public void flush() {
    sdk.getSdkTracerProvider().forceFlush().join(CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public Map<String, Long> close() {
    closing = true;
    // Shut down first, so that nothing is counted after the metrics were read.
    sdk.getSdkTracerProvider().shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
    Map<String, Long> counts = new HashMap<>();
    metrics.collect().stream()
        .filter(metric -> metric.getName().startsWith(PluginCounts.PREFIX))
        .forEach(
            metric ->
                metric
                    .getLongSumData()
                    .getPoints()
                    .forEach(
                        point ->
                            counts.merge(
                                PluginCounts.key(metric.getName(), point.getAttributes()),
                                point.getValue(),
                                Long::sum)));
    sdk.close();
    return counts;
  }

  private record NumberedSpan(long number, Span span) {}
}
