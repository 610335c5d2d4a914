/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.otelprofiling.correlation.internal.protocol.MessageDecoder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Exposes the plug-in's counts as instruments. They are read at collection, so counting costs
 * nothing extra. With several exporters, a span counts once for each.
 */
public final class CorrelationCounts {
  private static final String SCOPE = "io.otelprofiling.correlation";
  static final String PREFIX = "profiling.correlation.";
  private static final AttributeKey<String> TYPE = AttributeKey.stringKey("type");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("outcome");

  private static final Attributes REGISTRATIONS = message("registration", "accepted");
  private static final Attributes CORRELATIONS = message("correlation", "accepted");
  private static final Attributes UNKNOWN = message("correlation", "unknown_local_root");
  private static final Attributes INVALID = message("invalid", "dropped");

  private final Counts counts;
  private final @Nullable SampleMetric samples;

  private CorrelationCounts(Counts counts, @Nullable SampleMetric samples) {
    this.counts = counts;
    this.samples = samples;
  }

  /**
   * Adds the instruments.
   *
   * @param samples the metric of samples, or null
   */
  public static void register(MeterProvider meters, Counts counts, @Nullable SampleMetric samples) {
    new CorrelationCounts(counts, samples).addTo(meters.get(SCOPE));
  }

  private void addTo(Meter meter) {
    if (samples != null) {
      samples.addTo(meter);
    }
    meter
        .counterBuilder(PREFIX + "messages")
        .setUnit("{message}")
        .setDescription("Messages of profilers")
        .buildWithCallback(this::recordMessages);
    counter(meter, "spans.delayed", "{span}", "Local root spans that waited", counts::delayedSpans);
    counter(
        meter,
        "spans.released_early",
        "{span}",
        "Local root spans that found the queue full",
        counts::spansReleasedEarly);
    counter(
        meter,
        "spans.lost",
        "{span}",
        "Local root spans that a shutdown could not pass on in time",
        counts::lostSpans);
    counter(
        meter,
        "spans.displaced",
        "{span}",
        "Local root spans displaced because too many others have not ended",
        counts::displacedSpans);
    counter(
        meter,
        "stack_trace_ids.attached",
        "{id}",
        "Stack trace ids on spans that were passed on",
        counts::attachedStackTraceIds);
    counter(
        meter,
        "stack_trace_ids.dropped",
        "{id}",
        "Stack trace ids above the limit of their span",
        counts::droppedStackTraceIds);
    meter
        .gaugeBuilder(PREFIX + "spans.waiting")
        .ofLongs()
        .setUnit("{span}")
        .setDescription("Local root spans that wait now")
        .buildWithCallback(measurement -> measurement.record(counts.waitingSpans()));
  }

  private static void counter(
      Meter meter, String name, String unit, String description, LongSupplier value) {
    meter
        .counterBuilder(PREFIX + name)
        .setUnit(unit)
        .setDescription(description)
        .buildWithCallback(measurement -> measurement.record(value.getAsLong()));
  }

  private void recordMessages(ObservableLongMeasurement measurement) {
    if (samples != null) {
      // The SDK calls this before it collects the samples, but does not wait for the last spans.
      counts.awaitRelease();
    }
    MessageDecoder messages = counts.messages();
    long unknown = counts.unknownCorrelations(); // first: must not exceed the next one
    measurement.record(messages.registrationMessages(), REGISTRATIONS);
    measurement.record(messages.correlationMessages() - unknown, CORRELATIONS);
    measurement.record(unknown, UNKNOWN);
    measurement.record(messages.invalidMessages(), INVALID);
  }

  private static Attributes message(String type, String outcome) {
    return Attributes.of(TYPE, type, OUTCOME, outcome);
  }
}
