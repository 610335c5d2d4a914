/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.telemetry;

import io.flamespan.correlation.internal.log.Shortened;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleCounter;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjLongConsumer;

/**
 * Counts the samples of local root spans by attributes of these spans. Each addition is made in the
 * context of its span, so exemplars lead to traces. The SDK limits the number of series, by default
 * to 2,000. Thread-safe.
 */
public final class SampleMetric implements ObjLongConsumer<ReadableSpan> {
  /** Stands for the name of a span that has none of the other attributes. */
  static final String SPAN_NAME = "span.name";

  /** Is false on the series of spans that are not sampled, and on no others. */
  static final AttributeKey<Boolean> SAMPLED = AttributeKey.booleanKey("span.sampled");

  /** Half of the series that an instrument has: others must not find all taken. */
  static final int MAX_NAMES_NOT_SAMPLED = 1_000;

  // A series lives as long as the process, so the length of its values must be limited.
  private static final int MAX_LENGTH = 128;

  private interface Instrument {
    void add(long samples, Attributes series, Context context);
  }

  private final Set<String> names;
  private final Set<String> namesNotSampled = ConcurrentHashMap.newKeySet();
  private final boolean countsSeconds;
  private volatile double secondsPerSample;
  private volatile Instrument instrument = (samples, series, context) -> {};

  /**
   * Creates the metric, which starts counting when it gets a meter.
   *
   * @param names names of span attributes; {@code span.name} stands for the name of a span that has
   *     none of the others
   * @param secondsPerSample the duration of one sample, or 0 to count samples
   */
  public SampleMetric(Collection<String> names, double secondsPerSample) {
    this.names = new HashSet<>(names);
    this.countsSeconds = secondsPerSample > 0;
    this.secondsPerSample = secondsPerSample;
  }

  /** Sets the duration of samples that are counted from now on, if the metric counts seconds. */
  public void setSecondsPerSample(double seconds) {
    secondsPerSample = seconds;
  }

  /** Counts with this meter from now on. */
  void addTo(Meter meter) {
    if (!countsSeconds) {
      LongCounter counter =
          meter
              .counterBuilder(Counts.PREFIX + "samples")
              .setUnit("{sample}")
              .setDescription("Stack traces of local root spans")
              .build();
      instrument = counter::add;
    } else {
      DoubleCounter counter =
          meter
              .counterBuilder(Counts.PREFIX + "sampled_time")
              .ofDoubles()
              .setUnit("s")
              .setDescription("Stack traces of local root spans, times the samples' period")
              .build();
      instrument =
          (samples, series, context) -> counter.add(samples * secondsPerSample, series, context);
    }
  }

  /** Counts the samples of a span. */
  @Override
  public void accept(ReadableSpan span, long samples) {
    instrument.add(samples, series(span), contextOf(span));
  }

  /**
   * Counts samples of local root spans that are not sampled.
   *
   * @param name their name as the sampler saw it, or an empty text if that is not known
   */
  public void addNotSampled(String name, long samples) {
    instrument.add(samples, seriesNotSampled(name), Context.root());
  }

  private Attributes seriesNotSampled(String name) {
    String shortened = shortened(name);
    boolean isNamed =
        names.contains(SPAN_NAME)
            && !shortened.isEmpty()
            && (namesNotSampled.contains(shortened)
                || (namesNotSampled.size() < MAX_NAMES_NOT_SAMPLED
                    && namesNotSampled.add(shortened)));
    return isNamed
        ? Attributes.of(AttributeKey.stringKey(SPAN_NAME), shortened, SAMPLED, false)
        : Attributes.of(SAMPLED, false);
  }

  /** Returns the attributes under which a span counts. */
  public Attributes series(ReadableSpan span) {
    AttributesBuilder series = Attributes.builder();
    span.toSpanData()
        .getAttributes()
        .forEach(
            (key, value) -> {
              if (names.contains(key.getKey())) {
                put(series, key, value);
              }
            });
    Attributes found = series.build();
    return found.isEmpty() && names.contains(SPAN_NAME)
        ? Attributes.of(AttributeKey.stringKey(SPAN_NAME), shortened(span.getName()))
        : found;
  }

  @SuppressWarnings("unchecked") // the value has the type of its key
  private static void put(AttributesBuilder series, AttributeKey<?> key, Object value) {
    if (value instanceof Number || value instanceof Boolean) {
      series.put((AttributeKey<Object>) key, value);
    } else {
      series.put(key.getKey(), shortened(value.toString()));
    }
  }

  private static String shortened(String text) {
    return Shortened.to(MAX_LENGTH, text);
  }

  /**
   * Returns the context in which a span counts. Exemplars are kept for a long time, and must not
   * keep our trace state and its local root alive.
   */
  public static Context contextOf(ReadableSpan span) {
    SpanContext context = span.getSpanContext();
    SpanContext plain =
        SpanContext.create(
            context.getTraceId(),
            context.getSpanId(),
            context.getTraceFlags(),
            TraceState.getDefault());
    return Context.root().with(Span.wrap(plain));
  }
}
