/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.telemetry;

import io.flamespan.correlation.internal.delay.DelayingSpanProcessor;
import io.flamespan.correlation.internal.protocol.MessageDecoder;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one SDK's plug-in, as its status and its metrics show them. With several exporters,
 * a span counts once for each. Any thread may read.
 */
public final class Counts {
  static final String PREFIX = "profiling.correlation.";

  private static final long MAX_RELEASE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final String SCOPE = "io.flamespan.correlation";
  private static final AttributeKey<String> TYPE = AttributeKey.stringKey("type");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("outcome");

  private final MessageDecoder messages;
  private final LongSupplier unknown;
  private final List<DelayingSpanProcessor> processors; // only grows
  private final List<Count> counts = new ArrayList<>();

  /** A count, by its key in the status and perhaps by its name as a metric. */
  private static final class Count {
    final String key;
    final LongSupplier value;
    @Nullable String metric;
    String unit = "";
    String description = "";

    Count(String key, LongSupplier value) {
      this.key = key;
      this.value = value;
    }

    void as(String metric, String unit, String description) {
      this.metric = metric;
      this.unit = unit;
      this.description = description;
    }
  }

  /**
   * Creates a view of the counts.
   *
   * @param unknown the number of correlation messages for unknown local root spans
   * @param dropped the number of ids above the limit of their span
   * @param displaced the number of spans displaced because too many others have not ended
   * @param processors the processors, including those added later
   */
  public Counts(
      MessageDecoder messages,
      LongSupplier unknown,
      LongSupplier dropped,
      LongSupplier displaced,
      List<DelayingSpanProcessor> processors) {
    this.messages = messages;
    this.unknown = unknown;
    this.processors = processors;
    add("messages.unknown", unknown); // first: must not exceed the number of all
    add("socket.received", messages::datagrams);
    add("messages.registration", messages::registrationMessages);
    add("messages.correlation", messages::correlationMessages);
    add("messages.invalid", messages::invalidMessages);
    add("messages.last", messages::lastMessageMillis);
    add("ids.attached", sum(DelayingSpanProcessor::attachedStackTraceIds))
        .as("stack_trace_ids.attached", "{id}", "Stack trace ids on spans that were passed on");
    add("ids.dropped", dropped)
        .as("stack_trace_ids.dropped", "{id}", "Stack trace ids above the limit of their span");
    add("spans.waiting", sum(DelayingSpanProcessor::waitingSpans));
    add("spans.delayed", sum(DelayingSpanProcessor::delayedSpans))
        .as("spans.delayed", "{span}", "Local root spans that waited");
    add("spans.released.early", sum(DelayingSpanProcessor::spansReleasedEarly))
        .as("spans.released_early", "{span}", "Local root spans that found the queue full");
    add("spans.lost", sum(DelayingSpanProcessor::lostSpans))
        .as("spans.lost", "{span}", "Local root spans that a shutdown could not pass on in time");
    add("spans.displaced", displaced)
        .as(
            "spans.displaced",
            "{span}",
            "Local root spans displaced because too many others have not ended");
    add("processors", processors::size);
  }

  private Count add(String key, LongSupplier value) {
    Count count = new Count(key, value);
    counts.add(count);
    return count;
  }

  private LongSupplier sum(ToLongFunction<DelayingSpanProcessor> value) {
    return () -> {
      long sum = 0;
      for (int i = 0; i < processors.size(); i++) { // an iterator would be garbage
        sum += value.applyAsLong(processors.get(i));
      }
      return sum;
    };
  }

  /** Passes all counts on by their keys in the status, always in the same order. */
  public void forEach(ObjLongConsumer<String> counters) {
    for (int i = 0; i < counts.size(); i++) { // an iterator would be garbage
      Count count = counts.get(i);
      counters.accept(count.key, count.value.getAsLong());
    }
  }

  /**
   * Adds the instruments.
   *
   * @param samples the metric of samples, or null
   */
  public void register(MeterProvider meters, @Nullable SampleMetric samples) {
    Meter meter = meters.get(SCOPE);
    if (samples != null) {
      samples.addTo(meter);
    }
    meter
        .counterBuilder(PREFIX + "messages")
        .setUnit("{message}")
        .setDescription("Messages of profilers")
        .buildWithCallback(
            measurement -> {
              if (samples != null) {
                // The SDK calls this before it collects the samples, but does not wait for the last
                // spans.
                awaitRelease();
              }
              recordMessages(measurement);
            });
    for (Count count : counts) {
      if (count.metric != null) {
        meter
            .counterBuilder(PREFIX + count.metric)
            .setUnit(count.unit)
            .setDescription(count.description)
            .buildWithCallback(measurement -> measurement.record(count.value.getAsLong()));
      }
    }
    LongSupplier waiting = sum(DelayingSpanProcessor::waitingSpans);
    meter
        .gaugeBuilder(PREFIX + "spans.waiting")
        .ofLongs()
        .setUnit("{span}")
        .setDescription("Local root spans that wait now")
        .buildWithCallback(measurement -> measurement.record(waiting.getAsLong()));
  }

  private void recordMessages(ObservableLongMeasurement measurement) {
    long unknownNow = unknown.getAsLong(); // first: must not exceed the number of all
    measurement.record(messages.registrationMessages(), message("registration", "accepted"));
    measurement.record(
        messages.correlationMessages() - unknownNow, message("correlation", "accepted"));
    measurement.record(unknownNow, message("correlation", "unknown_local_root"));
    measurement.record(messages.invalidMessages(), message("invalid", "dropped"));
  }

  private static Attributes message(String type, String outcome) {
    return Attributes.of(TYPE, type, OUTCOME, outcome);
  }

  /**
   * After a shutdown has begun, waits until it has passed on all waiting spans. Waits at most two
   * seconds per processor, or until the thread is interrupted.
   */
  private void awaitRelease() {
    try {
      for (DelayingSpanProcessor processor : processors) {
        processor.awaitRelease(MAX_RELEASE_NANOS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
