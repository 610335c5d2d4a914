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
import java.util.function.ObjLongConsumer;

/**
 * Counts the samples of local root spans by attributes of these spans. Each addition is made in the
 * context of its span, so exemplars lead to traces. The SDK limits the number of series, by default
 * to 2,000. Thread-safe.
 */
public final class SampleMetric implements ObjLongConsumer<ReadableSpan> {
  /** Stands for the name of a span that has none of the other attributes. */
  static final String SPAN_NAME = "span.name";

  // A series lives as long as the process, so the length of its values must be limited.
  private static final int MAX_LENGTH = 128;

  private interface Instrument {
    void add(long samples, Attributes series, Context context);
  }

  private final Set<String> names;
  private final boolean countsSeconds;
  private volatile double secondsPerSample;
  private volatile Instrument instrument = (samples, series, context) -> {};
  private volatile Instrument notSampled = instrument;

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
    instrument =
        counter(
            meter,
            Counts.PREFIX + "samples",
            Counts.PREFIX + "sampled_time",
            "Stack traces of local root spans");
    notSampled =
        counter(
            meter,
            Counts.PREFIX + "not_sampled.samples",
            Counts.PREFIX + "not_sampled.sampled_time",
            "Stack traces of local root spans that are not sampled");
  }

  private Instrument counter(Meter meter, String samples, String time, String description) {
    if (!countsSeconds) {
      LongCounter counter =
          meter.counterBuilder(samples).setUnit("{sample}").setDescription(description).build();
      return counter::add;
    }
    DoubleCounter counter =
        meter
            .counterBuilder(time)
            .ofDoubles()
            .setUnit("s")
            .setDescription(description + ", times the samples' period")
            .build();
    return (count, series, context) -> counter.add(count * secondsPerSample, series, context);
  }

  /** Counts the samples of a span. */
  @Override
  public void accept(ReadableSpan span, long samples) {
    instrument.add(samples, series(span), contextOf(span));
  }

  /**
   * Counts samples of local root spans that are not sampled, in a counter of their own. If names
   * are no attribute, they are one series.
   *
   * @param name their name as the sampler saw it, shortened, or an empty text if that is not known
   */
  public void addNotSampled(String name, long samples) {
    Attributes series =
        name.isEmpty() || !names.contains(SPAN_NAME)
            ? Attributes.empty()
            : Attributes.of(AttributeKey.stringKey(SPAN_NAME), name);
    notSampled.add(samples, series, Context.root());
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
