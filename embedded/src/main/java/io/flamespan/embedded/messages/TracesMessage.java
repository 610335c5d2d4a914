/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.messages;

import io.flamespan.correlation.internal.processcontext.ProtobufAttributes;
import io.flamespan.correlation.internal.processcontext.ProtobufMessage;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A message with spans. Written here because a class path may have any version of OpenTelemetry,
 * and its own writers of OTLP are internal.
 *
 * <p>Source: opentelemetry-proto 1.11.0, {@code TracesData}.
 */
public final class TracesMessage {
  private static final int HAS_IS_REMOTE = 0x100;
  private static final int IS_REMOTE = 0x200;

  private TracesMessage() {}

  /** Returns the spans as a message in protobuf. */
  public static byte[] of(Collection<SpanData> spans) {
    Map<Resource, Map<InstrumentationScopeInfo, List<ProtobufMessage>>> grouped =
        new LinkedHashMap<>();
    for (SpanData span : spans) {
      grouped
          .computeIfAbsent(span.getResource(), unused -> new LinkedHashMap<>())
          .computeIfAbsent(span.getInstrumentationScopeInfo(), unused -> new ArrayList<>())
          .add(span(span));
    }
    ProtobufMessage message = new ProtobufMessage();
    grouped.forEach(
        (resource, ofScopes) -> {
          List<ProtobufMessage> scopes = new ArrayList<>();
          ofScopes.forEach((scope, ofScope) -> scopes.add(scope(scope, ofScope)));
          message.add(1, CommonMessages.ofResource(resource, scopes));
        });
    return message.toBytes();
  }

  private static ProtobufMessage scope(InstrumentationScopeInfo scope, List<ProtobufMessage> of) {
    ProtobufMessage message = new ProtobufMessage();
    message.add(1, scope.getName());
    String version = scope.getVersion();
    if (version != null) {
      message.add(2, version);
    }
    ProtobufAttributes.add(message, 3, scope.getAttributes());
    return CommonMessages.of(message, of, scope.getSchemaUrl());
  }

  private static ProtobufMessage span(SpanData span) {
    ProtobufMessage message = new ProtobufMessage();
    SpanContext parent = span.getParentSpanContext();
    ids(message, span.getSpanContext());
    if (parent.isValid()) {
      message.add(4, parent.getSpanIdBytes());
    }
    message.add(5, span.getName());
    message.add(6, kind(span.getKind()));
    message.addFixed(7, span.getStartEpochNanos());
    message.addFixed(8, span.getEndEpochNanos());
    attributes(message, 9, span.getAttributes(), span.getTotalAttributeCount());
    span.getEvents().forEach(event -> message.add(11, event(event)));
    dropped(message, 12, span.getTotalRecordedEvents() - span.getEvents().size());
    span.getLinks().forEach(link -> message.add(13, link(link)));
    dropped(message, 14, span.getTotalRecordedLinks() - span.getLinks().size());
    message.add(15, status(span.getStatus()));
    message.addFixed32(16, flags(span.getSpanContext(), parent.isRemote()));
    return message;
  }

  private static void ids(ProtobufMessage message, SpanContext context) {
    message.add(1, context.getTraceIdBytes());
    message.add(2, context.getSpanIdBytes());
    TraceState state = context.getTraceState();
    if (!state.isEmpty()) {
      List<String> entries = new ArrayList<>();
      state.forEach((key, value) -> entries.add(key + '=' + value));
      message.add(3, String.join(",", entries));
    }
  }

  private static int flags(SpanContext context, boolean isRemote) {
    int flags = context.getTraceFlags().asByte() & 0xff;
    return flags | HAS_IS_REMOTE | (isRemote ? IS_REMOTE : 0);
  }

  private static int kind(SpanKind kind) {
    switch (kind) {
      case INTERNAL:
        return 1;
      case SERVER:
        return 2;
      case CLIENT:
        return 3;
      case PRODUCER:
        return 4;
      case CONSUMER:
        return 5;
    }
    return 0;
  }

  private static ProtobufMessage event(EventData event) {
    ProtobufMessage message = new ProtobufMessage();
    message.addFixed(1, event.getEpochNanos());
    message.add(2, event.getName());
    attributes(message, 3, event.getAttributes(), event.getTotalAttributeCount());
    return message;
  }

  private static ProtobufMessage link(LinkData link) {
    ProtobufMessage message = new ProtobufMessage();
    SpanContext context = link.getSpanContext();
    ids(message, context);
    attributes(message, 4, link.getAttributes(), link.getTotalAttributeCount());
    message.addFixed32(6, flags(context, context.isRemote()));
    return message;
  }

  private static ProtobufMessage status(StatusData status) {
    ProtobufMessage message = new ProtobufMessage();
    if (!status.getDescription().isEmpty()) {
      message.add(2, status.getDescription());
    }
    if (status.getStatusCode() != StatusCode.UNSET) {
      message.add(3, status.getStatusCode() == StatusCode.OK ? 1 : 2);
    }
    return message;
  }

  /** Adds attributes, and in the next field how many were dropped. */
  private static void attributes(ProtobufMessage to, int field, Attributes attributes, int total) {
    ProtobufAttributes.add(to, field, attributes);
    dropped(to, field + 1, total - attributes.size());
  }

  private static void dropped(ProtobufMessage message, int field, int count) {
    if (count > 0) {
      message.add(field, count);
    }
  }
}
