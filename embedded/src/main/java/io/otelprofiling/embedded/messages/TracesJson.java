/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.messages;

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
 * and its own writers of OTLP JSON are internal, and need Jackson in older versions.
 */
public final class TracesJson {
  private static final int HAS_IS_REMOTE = 0x100;
  private static final int IS_REMOTE = 0x200;

  private final JsonWriter json = new JsonWriter();

  private TracesJson() {}

  /** Returns the spans as a line. */
  public static byte[] line(Collection<SpanData> spans) {
    Map<Resource, Map<InstrumentationScopeInfo, List<SpanData>>> grouped = new LinkedHashMap<>();
    for (SpanData span : spans) {
      grouped
          .computeIfAbsent(span.getResource(), unused -> new LinkedHashMap<>())
          .computeIfAbsent(span.getInstrumentationScopeInfo(), unused -> new ArrayList<>())
          .add(span);
    }
    TracesJson traces = new TracesJson();
    traces.json.beginObject().name("resourceSpans").beginArray();
    grouped.forEach(traces::ofResource);
    traces.json.endArray().endObject();
    return traces.json.line();
  }

  private void ofResource(
      Resource resource, Map<InstrumentationScopeInfo, List<SpanData>> ofScopes) {
    json.beginObject();
    CommonJson.resource(json, resource);
    json.name("scopeSpans").beginArray();
    ofScopes.forEach(this::ofScope);
    json.endArray();
    CommonJson.schemaUrl(json, resource.getSchemaUrl());
    json.endObject();
  }

  private void ofScope(InstrumentationScopeInfo scope, List<SpanData> spans) {
    json.beginObject().name("scope").beginObject().name("name").string(scope.getName());
    String version = scope.getVersion();
    if (version != null) {
      json.name("version").string(version);
    }
    CommonJson.attributes(json, scope.getAttributes());
    json.endObject().name("spans").beginArray();
    spans.forEach(this::span);
    json.endArray();
    CommonJson.schemaUrl(json, scope.getSchemaUrl());
    json.endObject();
  }

  private void span(SpanData span) {
    SpanContext parent = span.getParentSpanContext();
    json.beginObject();
    ids(span.getSpanContext());
    if (parent.isValid()) {
      json.name("parentSpanId").string(parent.getSpanId());
    }
    flags(span.getSpanContext(), parent.isRemote());
    json.name("name").string(span.getName());
    json.name("kind").int32(kind(span.getKind()));
    json.name("startTimeUnixNano").int64(span.getStartEpochNanos());
    json.name("endTimeUnixNano").int64(span.getEndEpochNanos());
    Attributes attributes = span.getAttributes();
    attributes(attributes, span.getTotalAttributeCount());
    events(span);
    links(span);
    status(span.getStatus());
    json.endObject();
  }

  private void ids(SpanContext context) {
    json.name("traceId").string(context.getTraceId());
    json.name("spanId").string(context.getSpanId());
    TraceState state = context.getTraceState();
    if (!state.isEmpty()) {
      List<String> entries = new ArrayList<>();
      state.forEach((key, value) -> entries.add(key + '=' + value));
      json.name("traceState").string(String.join(",", entries));
    }
  }

  private void flags(SpanContext context, boolean isRemote) {
    int flags = context.getTraceFlags().asByte() & 0xff;
    json.name("flags").int32(flags | HAS_IS_REMOTE | (isRemote ? IS_REMOTE : 0));
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

  private void attributes(Attributes attributes, int total) {
    CommonJson.attributes(json, attributes);
    dropped("droppedAttributesCount", total - attributes.size());
  }

  private void dropped(String name, int count) {
    if (count > 0) {
      json.name(name).int32(count);
    }
  }

  private void events(SpanData span) {
    List<EventData> events = span.getEvents();
    if (!events.isEmpty()) {
      json.name("events").beginArray();
      for (EventData event : events) {
        json.beginObject().name("timeUnixNano").int64(event.getEpochNanos());
        json.name("name").string(event.getName());
        attributes(event.getAttributes(), event.getTotalAttributeCount());
        json.endObject();
      }
      json.endArray();
    }
    dropped("droppedEventsCount", span.getTotalRecordedEvents() - events.size());
  }

  private void links(SpanData span) {
    List<LinkData> links = span.getLinks();
    if (!links.isEmpty()) {
      json.name("links").beginArray();
      for (LinkData link : links) {
        json.beginObject();
        ids(link.getSpanContext());
        attributes(link.getAttributes(), link.getTotalAttributeCount());
        flags(link.getSpanContext(), link.getSpanContext().isRemote());
        json.endObject();
      }
      json.endArray();
    }
    dropped("droppedLinksCount", span.getTotalRecordedLinks() - links.size());
  }

  private void status(StatusData status) {
    json.name("status").beginObject();
    if (!status.getDescription().isEmpty()) {
      json.name("message").string(status.getDescription());
    }
    if (status.getStatusCode() != StatusCode.UNSET) {
      json.name("code").int32(status.getStatusCode() == StatusCode.OK ? 1 : 2);
    }
    json.endObject();
  }
}
