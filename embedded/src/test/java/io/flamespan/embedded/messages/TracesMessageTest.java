/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.KeyValue;
import io.opentelemetry.api.common.Value;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.TracesData;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Spans in files are those that OpenTelemetry's exporter sends. */
class TracesMessageTest {
  private static final String ALL_CHARACTERS = "\"\\/\b\f\n\r\t\u0001\u2028é漢😀";

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder()
          .setResource(
              Resource.create(
                  Attributes.of(AttributeKey.stringKey("service.name"), "shop"), "https://schema"))
          .setSpanLimits(
              SpanLimits.builder()
                  .setMaxNumberOfAttributes(14)
                  .setMaxNumberOfEvents(2)
                  .setMaxNumberOfLinks(2)
                  .setMaxNumberOfAttributesPerEvent(1)
                  .build())
          .addSpanProcessor(SimpleSpanProcessor.create(spans))
          .build();
  private final Tracer tracer =
      provider.tracerBuilder("scope").setInstrumentationVersion("1.2").setSchemaUrl("s").build();

  @Test
  void span_always_hasWhatAnExporterSends() throws IOException {
    SpanContext remote =
        SpanContext.createFromRemoteParent(
            "0123456789abcdef0123456789abcdef",
            "0123456789abcdef",
            TraceFlags.getSampled(),
            TraceState.builder().put("b", "2").put("a", "1").build());
    for (SpanKind kind : SpanKind.values()) {
      Span parent =
          tracer
              .spanBuilder(ALL_CHARACTERS)
              .setSpanKind(kind)
              .setParent(Context.root().with(Span.wrap(remote)))
              .startSpan();
      Span child =
          provider
              .get("other")
              .spanBuilder("child")
              .setParent(Context.root().with(parent))
              .startSpan();
      child.setStatus(StatusCode.OK).end();
      parent.setStatus(StatusCode.ERROR, "broken").end();
    }
    tracer.spanBuilder("root").startSpan().end();

    assertEqualToExported();
  }

  @Test
  void attributes_ofAllTypes_areWritten() throws IOException {
    Span span =
        tracer
            .spanBuilder("typed")
            .setAttribute("string", ALL_CHARACTERS)
            .setAttribute("empty", "")
            .setAttribute("flag", true)
            .setAttribute("least", Long.MIN_VALUE)
            .setAttribute("most", Long.MAX_VALUE)
            .setAttribute("half", 0.5)
            .setAttribute("tiny", Double.MIN_VALUE)
            .setAttribute("infinite", Double.NEGATIVE_INFINITY)
            .setAttribute(AttributeKey.stringArrayKey("strings"), List.of("a", ""))
            .setAttribute(AttributeKey.booleanArrayKey("flags"), List.of(true, false))
            .setAttribute(AttributeKey.longArrayKey("longs"), List.of(1L, -1L))
            .setAttribute(AttributeKey.doubleArrayKey("doubles"), List.of(1e300, Double.NaN))
            .setAttribute(
                AttributeKey.valueKey("value"),
                Value.of(
                    KeyValue.of("bytes", Value.of(new byte[] {1, 2, 3, -1})),
                    KeyValue.of("list", Value.of(List.of(Value.of(1), Value.empty()))),
                    KeyValue.of("none", Value.of(new KeyValue[0]))))
            .startSpan();
    span.end();

    assertEqualToExported();
  }

  @Test
  void span_withEventsAndLinks_hasThemAndWhatWasDropped() throws IOException {
    Span span = tracer.spanBuilder("full").startSpan();
    for (int i = 0; i < 20; i++) {
      span.setAttribute("attribute" + i, i);
      span.addEvent(
          "event" + i, Attributes.builder().put("number", i).put("dropped", true).build());
      span.addLink(Span.getInvalid().getSpanContext());
      span.addLink(
          SpanContext.createFromRemoteParent(
              "0123456789abcdef0123456789abcdef",
              String.format("%016x", i + 1),
              TraceFlags.getDefault(),
              TraceState.getDefault()),
          Attributes.builder().put("number", i).build());
    }
    span.end();

    assertEqualToExported();
  }

  private void assertEqualToExported() throws IOException {
    List<SpanData> finished = spans.getFinishedSpanItems();
    assertThat(finished).isNotEmpty();
    ByteArrayOutputStream exported = new ByteArrayOutputStream();
    TraceRequestMarshaler.create(finished).writeBinaryTo(exported);

    // The request for an export has the same fields.
    TracesData.Builder expected = TracesData.newBuilder().mergeFrom(exported.toByteArray());
    assertThat(sorted(TracesData.newBuilder().mergeFrom(TracesMessage.of(finished))))
        .isEqualTo(sorted(expected));
  }

  /** The order of scopes means nothing. */
  private static TracesData sorted(TracesData.Builder traces) {
    ResourceSpans.Builder spans = traces.getResourceSpansBuilder(0);
    List<ScopeSpans> scopes = new ArrayList<>(spans.getScopeSpansList());
    scopes.sort(Comparator.comparing(scope -> scope.getScope().getName()));
    spans.clearScopeSpans().addAllScopeSpans(scopes);
    return traces.build();
  }
}
