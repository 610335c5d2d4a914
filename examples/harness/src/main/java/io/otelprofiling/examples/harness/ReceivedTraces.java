/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.harness;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.SpanFlags;
import io.otelprofiling.examples.harness.OtlpReceiver.ReceivedSpan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The spans of an application, as the receiver got them. */
public final class ReceivedTraces {

  /** The attribute that the plug-in adds. */
  public static final String STACK_TRACE_IDS = "elastic.profiler_stack_trace_ids";

  private final List<ReceivedSpan> received;
  private final Map<String, Span> byId = new HashMap<>();

  /** Of what the receiver has. */
  ReceivedTraces(List<ReceivedSpan> received) {
    this.received = received;
    for (ReceivedSpan span : received) {
      byId.put(id(span.span().getTraceId(), span.span().getSpanId()), span.span());
    }
  }

  /** All, with what sent them. */
  public List<ReceivedSpan> all() {
    return received;
  }

  /** All, by themselves. */
  public List<Span> spans() {
    return received.stream().map(ReceivedSpan::span).collect(Collectors.toList());
  }

  /** The spans that answered a request for the path. */
  public List<Span> serverSpans(String path) {
    return spans().stream()
        .filter(span -> span.getKind() == SpanKind.SPAN_KIND_SERVER)
        .filter(span -> attribute(span, "http.route").getStringValue().equals(path))
        .collect(Collectors.toList());
  }

  /** Each id on each span as {@code trace-id span-id stack-trace-id}, as often as it was there. */
  public Counts correlations() {
    Counts correlations = new Counts();
    for (Span span : spans()) {
      String spanId = id(span.getTraceId(), span.getSpanId());
      stackTraceIds(span).forEach(stackTraceId -> correlations.add(spanId + " " + stackTraceId));
    }
    return correlations;
  }

  /** The span itself or the nearest above it that has no parent in this process. */
  public Span localRootOf(Span span) {
    Span root = span;
    while (!isLocalRoot(root)) {
      Span parent = byId.get(id(root.getTraceId(), root.getParentSpanId()));
      if (parent == null) {
        return root;
      }
      root = parent;
    }
    return root;
  }

  /** Whether the span has no parent, or one in another process. */
  public static boolean isLocalRoot(Span span) {
    return span.getParentSpanId().isEmpty()
        || (span.getFlags() & SpanFlags.SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK_VALUE) != 0;
  }

  /** Whether the plug-in has added any. */
  public static boolean hasStackTraceIds(Span span) {
    return span.getAttributesList().stream().anyMatch(a -> a.getKey().equals(STACK_TRACE_IDS));
  }

  /** The values of that attribute. */
  public static List<String> stackTraceIds(Span span) {
    return strings(attribute(span, STACK_TRACE_IDS));
  }

  /** The elements of an attribute that is an array of strings. */
  public static List<String> strings(AnyValue array) {
    List<String> strings = new ArrayList<>();
    array.getArrayValue().getValuesList().forEach(value -> strings.add(value.getStringValue()));
    return strings;
  }

  /** The attribute's value, or an empty one. */
  public static AnyValue attribute(Span span, String key) {
    for (KeyValue attribute : span.getAttributesList()) {
      if (attribute.getKey().equals(key)) {
        return attribute.getValue();
      }
    }
    return AnyValue.getDefaultInstance();
  }

  /** An id as it is written. */
  public static String hex(ByteString bytes) {
    StringBuilder hex = new StringBuilder();
    for (byte b : bytes.toByteArray()) {
      hex.append(String.format("%02x", b));
    }
    return hex.toString();
  }

  private static String id(ByteString traceId, ByteString spanId) {
    return hex(traceId) + " " + hex(spanId);
  }
}
