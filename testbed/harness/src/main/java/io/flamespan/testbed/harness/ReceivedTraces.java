/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import com.google.protobuf.ByteString;
import io.flamespan.testbed.harness.OtlpReceiver.ReceivedSpan;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import io.opentelemetry.proto.trace.v1.SpanFlags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The spans of an application that the receiver got. */
public final class ReceivedTraces {

  /** The attribute that the plug-in adds. */
  public static final String STACK_TRACE_IDS = "elastic.profiler_stack_trace_ids";

  private final List<ReceivedSpan> received;
  private final Map<String, Span> byId = new HashMap<>();

  /** Creates the view of the receiver's spans. */
  ReceivedTraces(List<ReceivedSpan> received) {
    this.received = received;
    for (ReceivedSpan span : received) {
      byId.put(id(span.span().getTraceId(), span.span().getSpanId()), span.span());
    }
  }

  /** Returns all spans with their resources and instrumentation scopes. */
  public List<ReceivedSpan> all() {
    return received;
  }

  /** Returns all spans, without resources and scopes. */
  public List<Span> spans() {
    return received.stream().map(ReceivedSpan::span).collect(Collectors.toList());
  }

  /** Returns the ids of all traces with a received local root span. */
  public Set<String> traceIds() {
    return spans().stream()
        .filter(ReceivedTraces::isLocalRoot)
        .map(span -> hex(span.getTraceId()))
        .collect(Collectors.toSet());
  }

  /** Returns the server spans of requests for the path. */
  public List<Span> serverSpans(String path) {
    return spans().stream()
        .filter(span -> span.getKind() == SpanKind.SPAN_KIND_SERVER)
        .filter(span -> attribute(span, "http.route").getStringValue().equals(path))
        .collect(Collectors.toList());
  }

  /**
   * Returns each stack trace id on each span as {@code trace-id span-id stack-trace-id}, with its
   * count.
   */
  public Counts correlations() {
    Counts correlations = new Counts();
    for (Span span : spans()) {
      String spanId = id(span.getTraceId(), span.getSpanId());
      stackTraceIds(span).forEach(stackTraceId -> correlations.add(spanId + " " + stackTraceId));
    }
    return correlations;
  }

  /** Returns the local root of the span, or its uppermost received ancestor if that is missing. */
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

  /** Returns the span with these ids in hexadecimal, or null if it was not received. */
  Span find(String traceId, String spanId) {
    return byId.get(traceId + " " + spanId);
  }

  /** Returns whether the span has no parent in its process. */
  public static boolean isLocalRoot(Span span) {
    return span.getParentSpanId().isEmpty()
        || (span.getFlags() & SpanFlags.SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK_VALUE) != 0;
  }

  /** Returns whether the plug-in has added stack trace ids to the span. */
  public static boolean hasStackTraceIds(Span span) {
    return span.getAttributesList().stream().anyMatch(a -> a.getKey().equals(STACK_TRACE_IDS));
  }

  /** Returns the stack trace ids of the span. */
  public static List<String> stackTraceIds(Span span) {
    return strings(attribute(span, STACK_TRACE_IDS));
  }

  /** Returns the elements of an attribute that is an array of strings. */
  public static List<String> strings(AnyValue array) {
    List<String> strings = new ArrayList<>();
    array.getArrayValue().getValuesList().forEach(value -> strings.add(value.getStringValue()));
    return strings;
  }

  /** Returns the attribute's value, or an empty one. */
  public static AnyValue attribute(Span span, String key) {
    for (KeyValue attribute : span.getAttributesList()) {
      if (attribute.getKey().equals(key)) {
        return attribute.getValue();
      }
    }
    return AnyValue.getDefaultInstance();
  }

  /** Returns an id in hexadecimal. */
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
