/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.amounts;

import io.flamespan.correlation.internal.log.RateLimitedLogger;
import io.flamespan.correlation.internal.protocol.HexIds;
import io.flamespan.correlation.internal.telemetry.SampleMetric;
import io.flamespan.embedded.EmbeddedAsyncProfiler;
import io.flamespan.embedded.SampleKind;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleCounter;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the amounts of local root spans by attributes of these spans, as the metric of CPU time
 * does. Must receive spans after they waited for their samples. Thread-safe.
 */
final class AmountMetrics implements SpanProcessor {
  private static final String SCOPE = "io.flamespan.embedded";
  private static final double NANOS_PER_SECOND = 1e9;

  private interface Instrument {
    void add(long amount, Attributes series, Context context);
  }

  private final RateLimitedLogger logger = new RateLimitedLogger(AmountMetrics.class);
  private final Amounts amounts;
  private final SampleMetric series;
  private final Map<SampleKind, Instrument> instruments = new EnumMap<>(SampleKind.class);

  /**
   * Creates the instruments.
   *
   * @param names names of span attributes, as for the metric of CPU time
   */
  AmountMetrics(Amounts amounts, Collection<String> names, MeterProvider meters) {
    this.amounts = amounts;
    this.series = new SampleMetric(names, 0);
    Meter meter = meters.get(SCOPE);
    LongCounter allocation =
        meter
            .counterBuilder("profiling.correlation.allocation")
            .setUnit("By")
            .setDescription("Allocation of local root spans")
            .build();
    instruments.put(SampleKind.ALLOC, allocation::add);
    instruments.put(
        SampleKind.LOCK,
        seconds(meter, "profiling.correlation.lock_time", "Waiting of local root spans for locks"));
    instruments.put(
        SampleKind.WALL,
        seconds(meter, "profiling.correlation.wait_time", "Waiting of local root spans"));
  }

  private static Instrument seconds(Meter meter, String name, String description) {
    DoubleCounter counter =
        meter.counterBuilder(name).ofDoubles().setUnit("s").setDescription(description).build();
    return (nanos, series, context) -> counter.add(nanos / NANOS_PER_SECOND, series, context);
  }

  /** Receives samples from now on, until the shutdown. */
  void begin() {
    EmbeddedAsyncProfiler.addListener(amounts);
  }

  @Override
  public CompletableResultCode shutdown() {
    EmbeddedAsyncProfiler.removeListener(amounts);
    return CompletableResultCode.ofSuccess();
  }

  @Override
  public void onEnd(ReadableSpan span) {
    try {
      String traceId = span.getSpanContext().getTraceId();
      Map<SampleKind, Long> found =
          amounts.remove(
              HexIds.parseLong(traceId, 0),
              HexIds.parseLong(traceId, 16),
              HexIds.parseLong(span.getSpanContext().getSpanId(), 0));
      if (found != null) {
        add(span, found);
      }
    } catch (RuntimeException | OutOfMemoryError e) {
      logger.warn("Allocation and waiting of a span were not counted", e);
    }
  }

  private void add(ReadableSpan span, Map<SampleKind, Long> found) {
    Attributes attributes = series.series(span);
    Context context = SampleMetric.contextOf(span);
    found.forEach(
        (kind, amount) -> {
          @Nullable Instrument instrument = instruments.get(kind);
          if (instrument != null) {
            instrument.add(amount, attributes, context);
          }
        });
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {}

  @Override
  public boolean isStartRequired() {
    return false;
  }
}
