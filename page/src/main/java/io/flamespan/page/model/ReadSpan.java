/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Fields;
import io.flamespan.page.timeline.Exact;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A span, as it is read. */
final class ReadSpan implements Fields {
  private static final byte[] NO_ID = {};

  private byte[] traceId = NO_ID;
  private byte[] spanId = NO_ID;
  private byte[] parentSpanId = NO_ID;
  private int flags;
  private int kind;
  private int status;
  private long startNanos;
  private long endNanos;
  private String name = "";
  private final List<Attribute> attributes = new ArrayList<>();

  @Override
  public Fields message(int field) {
    if (field == Span.STATUS_FIELD_NUMBER) {
      return new Fields() {
        @Override
        public void number(int ofStatus, long value) {
          status = ofStatus == Status.CODE_FIELD_NUMBER ? (int) value : status;
        }
      };
    }
    if (field != Span.ATTRIBUTES_FIELD_NUMBER) {
      return LEFT_OUT;
    }
    attributes.add(new Attribute());
    return attributes.get(attributes.size() - 1);
  }

  @Override
  public void number(int field, long value) {
    switch (field) {
      case Span.FLAGS_FIELD_NUMBER -> flags = (int) value;
      case Span.KIND_FIELD_NUMBER -> kind = (int) value;
      case Span.START_TIME_UNIX_NANO_FIELD_NUMBER -> startNanos = value;
      case Span.END_TIME_UNIX_NANO_FIELD_NUMBER -> endNanos = value;
      default -> {}
    }
  }

  @Override
  public void text(int field, String value) {
    name = field == Span.NAME_FIELD_NUMBER ? value : name;
  }

  @Override
  public void bytes(int field, byte[] value) {
    switch (field) {
      case Span.TRACE_ID_FIELD_NUMBER -> traceId = value;
      case Span.SPAN_ID_FIELD_NUMBER -> spanId = value;
      case Span.PARENT_SPAN_ID_FIELD_NUMBER -> parentSpanId = value;
      default -> {}
    }
  }

  String name() {
    return name;
  }

  /** Null without valid ids. */
  @Nullable SpanKey key() {
    return SpanKey.of(traceId, spanId);
  }

  List<Attribute> attributes() {
    return attributes;
  }

  ReceivedSpan received(
      SpanKey key, String sharedName, Service service, Map<String, String> fewValues) {
    SpanKind known = SpanKind.forNumber(kind);
    return new ReceivedSpan(
        key,
        parentSpanId.length == Long.BYTES ? ByteBuffer.wrap(parentSpanId).getLong() : 0,
        flags,
        known == null ? SpanKind.UNRECOGNIZED : known,
        sharedName,
        service,
        startNanos,
        endNanos,
        status == Status.StatusCode.STATUS_CODE_ERROR_VALUE,
        stackTraceIds(),
        exact(),
        fewValues);
  }

  private Exact exact() {
    double stopped = -1;
    double cpu = -1;
    double runQueue = -1;
    for (Attribute attribute : attributes) {
      switch (attribute.key()) {
        case "jvm.stopped.time" -> stopped = attribute.number();
        case "thread.cpu.time" -> cpu = attribute.number();
        case "thread.run_queue.time" -> runQueue = attribute.number();
        default -> {}
      }
    }
    return stopped == -1 && cpu == -1 && runQueue == -1
        ? Exact.NONE
        : Exact.of(stopped, cpu, runQueue, endNanos - startNanos);
  }

  private int stackTraceIds() {
    for (Attribute attribute : attributes) {
      if (attribute.key().equals(Spans.STACK_TRACE_IDS)) {
        return attribute.elements();
      }
    }
    return ReceivedSpan.NO_STACK_TRACE_IDS;
  }
}
