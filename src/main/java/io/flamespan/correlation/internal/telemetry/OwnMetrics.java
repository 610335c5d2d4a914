/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.telemetry;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.sdk.common.Clock;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricProducer;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Produces the plug-in's metrics for the meter provider of the application's SDK. That provider
 * does not exist yet when the plug-in is configured, but its builder accepts metric producers. The
 * instruments therefore belong to a small separate provider, which is collected whenever the
 * application's provider is. Values are cumulative. Called by the threads of metric readers.
 * Creates nothing before the first collection, unless {@link #create} is called: many applications
 * do not have a metric reader, and loading the metrics SDK means loading about a hundred classes.
 */
public final class OwnMetrics implements MetricProducer {
  private final Reader reader = new Reader();
  private final SinceConstruction clock = new SinceConstruction();
  private final Resource resource;
  private final Consumer<MeterProvider> instruments;
  private final RateLimitedLogger logger = new RateLimitedLogger(OwnMetrics.class);
  private final Callable<Collection<MetricData>> collect = this::collect;

  /**
   * Prepares the instruments, which are created at the first collection.
   *
   * @param instruments adds the instruments; synchronous ones count from then on
   */
  public OwnMetrics(Resource resource, Consumer<MeterProvider> instruments) {
    this.resource = resource;
    this.instruments = instruments;
  }

  @Override
  public Collection<MetricData> produce(Resource unused) {
    return logger.orElse(
        Collections.emptyList(), "The metrics of the plug-in are missing", collect);
  }

  private Collection<MetricData> collect() {
    create();
    return reader.registration.collectAllMetrics();
  }

  /** Creates the instruments now. */
  public synchronized void create() {
    if (!clock.running) {
      instruments.accept(
          SdkMeterProvider.builder()
              .setResource(resource)
              .setClock(clock)
              .registerMetricReader(reader)
              .build());
      clock.running = true;
    }
  }

  /** Returns the construction time until the instruments exist, because counting began then. */
  static final class SinceConstruction implements Clock {
    private final long start = Clock.getDefault().now();
    private volatile boolean running;

    @Override
    public long now() {
      return running ? Clock.getDefault().now() : start;
    }

    @Override
    public long nanoTime() {
      return Clock.getDefault().nanoTime();
    }
  }

  static final class Reader implements MetricReader {
    private volatile CollectionRegistration registration = CollectionRegistration.noop();

    @Override
    public void register(CollectionRegistration registration) {
      this.registration = registration;
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType type) {
      return AggregationTemporality.CUMULATIVE;
    }

    @Override
    public CompletableResultCode forceFlush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}
