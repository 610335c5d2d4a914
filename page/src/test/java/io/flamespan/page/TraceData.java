/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.opentelemetry.proto.trace.v1.TracesData;
import java.nio.ByteBuffer;
import java.util.List;

/** Builds a message with the spans of one service. */
final class TraceData {
  static final int LOCAL_PARENT = 0x101;
  static final int REMOTE_PARENT = 0x301;
  static final int FLAGS_UNKNOWN = 0x1;
  static final byte[] NONE = {};

  private final ResourceSpans.Builder spans = ResourceSpans.newBuilder();

  TraceData(String service) {
    spans.setResource(resource(service)).addScopeSpansBuilder();
  }

  static Resource resource(String service) {
    Resource.Builder resource = Resource.newBuilder();
    if (!service.isEmpty()) {
      resource
          .addAttributesBuilder()
          .setKey("service.name")
          .setValue(AnyValue.newBuilder().setStringValue(service));
    }
    return resource.build();
  }

  static byte[] traceId(long number) {
    return ByteBuffer.allocate(16).putLong(0xfeedL).putLong(number).array();
  }

  static byte[] spanId(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  TraceData span(
      byte[] trace, byte[] span, byte[] parent, int flags, String name, long start, long end) {
    spans
        .getScopeSpansBuilder(0)
        .addSpansBuilder()
        .setTraceId(ByteString.copyFrom(trace))
        .setSpanId(ByteString.copyFrom(span))
        .setParentSpanId(ByteString.copyFrom(parent))
        .setFlags(flags)
        .setName(name)
        .setStartTimeUnixNano(start)
        .setEndTimeUnixNano(end);
    return this;
  }

  /** Sets the kind of the last span. */
  TraceData kind(Span.SpanKind kind) {
    spans
        .getScopeSpansBuilder(0)
        .getSpansBuilder(spans.getScopeSpansBuilder(0).getSpansCount() - 1)
        .setKind(kind);
    return this;
  }

  /** Says that the last span failed. */
  TraceData failed() {
    spans
        .getScopeSpansBuilder(0)
        .getSpansBuilder(spans.getScopeSpansBuilder(0).getSpansCount() - 1)
        .setStatus(Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR));
    return this;
  }

  TraceData root(long number, String name, long start, long end) {
    return span(traceId(number), spanId(number), NONE, LOCAL_PARENT, name, start, end);
  }

  /** Adds stack trace ids to the last span, like the plug-in. */
  TraceData stackTraceIds(int count) {
    ArrayValue.Builder ids = ArrayValue.newBuilder();
    for (int i = 0; i < count; i++) {
      ids.addValues(AnyValue.newBuilder().setStringValue("id" + i));
    }
    Span.Builder last =
        spans
            .getScopeSpansBuilder(0)
            .getSpansBuilder(spans.getScopeSpansBuilder(0).getSpansCount() - 1);
    last.addAttributes(
        KeyValue.newBuilder()
            .setKey("elastic.profiler_stack_trace_ids")
            .setValue(AnyValue.newBuilder().setArrayValue(ids)));
    return this;
  }

  /** Adds a number to the last span. */
  TraceData attribute(String key, double value) {
    return attribute(key, AnyValue.newBuilder().setDoubleValue(value));
  }

  /** Adds a text to the last span. */
  TraceData attribute(String key, String value) {
    return attribute(key, AnyValue.newBuilder().setStringValue(value));
  }

  /** Adds a whole number to the last span. */
  TraceData whole(String key, long value) {
    return attribute(key, AnyValue.newBuilder().setIntValue(value));
  }

  /** Adds bytes to the last span. */
  TraceData bytes(String key, byte[] value) {
    return attribute(key, AnyValue.newBuilder().setBytesValue(ByteString.copyFrom(value)));
  }

  /** Adds an array to the last span. */
  TraceData attribute(String key, List<String> values) {
    ArrayValue.Builder array = ArrayValue.newBuilder();
    values.forEach(value -> array.addValues(AnyValue.newBuilder().setStringValue(value)));
    return attribute(key, AnyValue.newBuilder().setArrayValue(array));
  }

  private TraceData attribute(String key, AnyValue.Builder value) {
    spans
        .getScopeSpansBuilder(0)
        .getSpansBuilder(spans.getScopeSpansBuilder(0).getSpansCount() - 1)
        .addAttributes(KeyValue.newBuilder().setKey(key).setValue(value));
    return this;
  }

  TracesData build() {
    return TracesData.newBuilder().addResourceSpans(spans).build();
  }
}
