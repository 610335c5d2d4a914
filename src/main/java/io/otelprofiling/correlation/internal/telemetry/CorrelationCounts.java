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
import io.otelprofiling.correlation.internal.delay.DelayingSpanProcessor;
import io.otelprofiling.correlation.internal.protocol.MessageDecoder;
import java.util.Collection;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Exposes the plug-in's counts as instruments. They are read at collection, so the work that is
 * counted costs nothing more. With several exporters, a span counts once for each.
 */
public final class CorrelationCounts {
  private static final String SCOPE = "io.otelprofiling.correlation";
  private static final String PREFIX = "profiling.correlation.";
  private static final AttributeKey<String> TYPE = AttributeKey.stringKey("type");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("outcome");

  private static final Attributes REGISTRATIONS = message("registration", "accepted");
  private static final Attributes CORRELATIONS = message("correlation", "accepted");
  private static final Attributes UNKNOWN = message("correlation", "unknown_transaction");
  private static final Attributes INVALID = message("invalid", "dropped");

  private final MessageDecoder messages;
  private final LongSupplier unknownCorrelations;
  private final LongSupplier droppedStackTraceIds;
  private final LongSupplier displacedSpans;
  private final Collection<DelayingSpanProcessor> processors;

  private CorrelationCounts(
      MessageDecoder messages,
      LongSupplier unknownCorrelations,
      LongSupplier droppedStackTraceIds,
      LongSupplier displacedSpans,
      Collection<DelayingSpanProcessor> processors) {
    this.messages = messages;
    this.unknownCorrelations = unknownCorrelations;
    this.droppedStackTraceIds = droppedStackTraceIds;
    this.displacedSpans = displacedSpans;
    this.processors = processors;
  }

  /**
   * Adds the instruments.
   *
   * @param unknownCorrelations how many correlation messages were for unknown transactions
   * @param droppedStackTraceIds how many ids exceeded the limit of their span
   * @param displacedSpans how many spans are unknown because too many others have not ended
   * @param processors the processors, including those that are added later
   */
  public static void register(
      MeterProvider meters,
      MessageDecoder messages,
      LongSupplier unknownCorrelations,
      LongSupplier droppedStackTraceIds,
      LongSupplier displacedSpans,
      Collection<DelayingSpanProcessor> processors) {
    new CorrelationCounts(
            messages, unknownCorrelations, droppedStackTraceIds, displacedSpans, processors)
        .addTo(meters.get(SCOPE));
  }

  private void addTo(Meter meter) {
    meter
        .counterBuilder(PREFIX + "messages")
        .setUnit("{message}")
        .setDescription("Messages of profilers")
        .buildWithCallback(this::recordMessages);
    counter(
        meter,
        "spans.delayed",
        "{span}",
        "Local root spans that waited",
        () -> sum(DelayingSpanProcessor::delayedSpans));
    counter(
        meter,
        "spans.released_early",
        "{span}",
        "Local root spans that found the queue full",
        () -> sum(DelayingSpanProcessor::spansReleasedEarly));
    counter(
        meter,
        "spans.displaced",
        "{span}",
        "Spans that are unknown because too many others have not ended",
        displacedSpans);
    counter(
        meter,
        "stack_trace_ids.attached",
        "{id}",
        "Stack trace ids on spans that were passed on",
        () -> sum(DelayingSpanProcessor::attachedStackTraceIds));
    counter(
        meter,
        "stack_trace_ids.dropped",
        "{id}",
        "Stack trace ids for spans that had as many as they may",
        droppedStackTraceIds);
    meter
        .gaugeBuilder(PREFIX + "spans.waiting")
        .ofLongs()
        .setUnit("{span}")
        .setDescription("Local root spans that wait now")
        .buildWithCallback(
            measurement -> measurement.record(sum(DelayingSpanProcessor::waitingSpans)));
  }

  private static void counter(
      Meter meter, String name, String unit, String description, LongSupplier value) {
    meter
        .counterBuilder(PREFIX + name)
        .setUnit(unit)
        .setDescription(description)
        .buildWithCallback(measurement -> measurement.record(value.getAsLong()));
  }

  private long sum(ToLongFunction<DelayingSpanProcessor> value) {
    return processors.stream().mapToLong(value).sum();
  }

  private void recordMessages(ObservableLongMeasurement measurement) {
    long unknown = unknownCorrelations.getAsLong(); // first, so that it never exceeds the next one
    measurement.record(messages.registrationMessages(), REGISTRATIONS);
    measurement.record(messages.correlationMessages() - unknown, CORRELATIONS);
    measurement.record(unknown, UNKNOWN);
    measurement.record(messages.droppedMessages(), INVALID);
  }

  private static Attributes message(String type, String outcome) {
    return Attributes.of(TYPE, type, OUTCOME, outcome);
  }
}
