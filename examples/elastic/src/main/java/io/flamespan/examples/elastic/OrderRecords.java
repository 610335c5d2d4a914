/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.examples.elastic;

import io.flamespan.elastic.ElasticKafkaHeader;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;

/**
 * Sends and receives Kafka records with the headers that services under an old Elastic agent read
 * and write. There is no broker: each record of the producer is received at once.
 */
final class OrderRecords {
  private static final String TOPIC = "placed-orders";

  private final Tracer tracer;

  OrderRecords(OpenTelemetry openTelemetry) {
    tracer = openTelemetry.getTracer("orders");
  }

  /** Returns the header that was sent, and the trace in which the record was received. */
  Properties send() {
    ProducerRecord<String, String> record = new ProducerRecord<>(TOPIC, "an order");
    Span span = start(Context.current(), SpanKind.PRODUCER, "send");
    try (Scope scope = span.makeCurrent()) {
      byte[] value = ElasticKafkaHeader.write(Context.current());
      if (value != null) {
        record.headers().remove(ElasticKafkaHeader.NAME).add(ElasticKafkaHeader.NAME, value);
      }
    } finally {
      span.end();
    }
    Properties result = new Properties();
    Header sent = record.headers().lastHeader(ElasticKafkaHeader.NAME);
    if (sent != null) {
      result.setProperty("record.header", HexFormat.of().formatHex(sent.value()));
    }
    result.setProperty("record.trace.id", receive(record.value(), record.headers()));
    return result;
  }

  private String receive(String value, Headers headers) {
    ConsumerRecord<String, String> record =
        new ConsumerRecord<>(
            TOPIC,
            0,
            0,
            System.currentTimeMillis(),
            TimestampType.CREATE_TIME,
            ConsumerRecord.NULL_SIZE,
            value.length(),
            null,
            value,
            headers,
            Optional.empty());
    // A consumer's only context is that of the record.
    Context producer =
        ElasticKafkaHeader.read(
            Context.root(),
            name -> {
              Header header = record.headers().lastHeader(name);
              return header == null ? null : header.value();
            });
    Span span = start(producer, SpanKind.CONSUMER, "process");
    span.end();
    return span.getSpanContext().getTraceId();
  }

  private Span start(Context parent, SpanKind kind, String operation) {
    return tracer
        .spanBuilder(operation + " " + TOPIC)
        .setParent(parent)
        .setSpanKind(kind)
        .setAttribute("messaging.system", "kafka")
        .setAttribute("messaging.destination.name", TOPIC)
        .setAttribute("messaging.operation.type", operation)
        .startSpan();
  }
}
