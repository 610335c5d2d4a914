/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.hostid;

import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.otelprofiling.correlation.testing.EveryMethod;
import io.otelprofiling.correlation.testing.RecordingSpanExporter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HostIdSpanExporterTest {
  private final ProfilerHostId hostId = new ProfilerHostId(null);
  private final Delegate delegate = new Delegate();
  private final SpanExporter exporter = HostIdExporter.of(delegate, hostId);

  /** Returns a span with every kind of data, and more of it than the limits allow. */
  private static SpanData span(Resource resource) {
    try (SdkTracerProvider provider =
        SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(new RecordingSpanExporter()))
            .setResource(resource)
            .setSpanLimits(
                SpanLimits.builder()
                    .setMaxNumberOfAttributes(2)
                    .setMaxNumberOfEvents(1)
                    .setMaxNumberOfLinks(1)
                    .build())
            .build()) {
      SpanContext remote =
          SpanContext.createFromRemoteParent(
              "4bf92f3577b34da6a3ce929d0e0e4736",
              "00f067aa0ba902b7",
              TraceFlags.getSampled(),
              TraceState.builder().put("k", "v").build());
      Span span =
          provider
              .tracerBuilder("scope")
              .setInstrumentationVersion("1.2")
              .setSchemaUrl("https://schema")
              .build()
              .spanBuilder("name")
              .setParent(Context.root().with(Span.wrap(remote)))
              .setSpanKind(SpanKind.SERVER)
              .setStartTimestamp(1_000, NANOSECONDS)
              .addLink(remote)
              .addLink(remote, Attributes.of(stringKey("l"), "w"))
              .startSpan();
      span.setAttribute("a", 1).setAttribute("b", 2).setAttribute("c", 3);
      span.addEvent("e1").addEvent("e2").setStatus(StatusCode.ERROR, "reason");
      span.end(2_000, NANOSECONDS);
      return ((ReadableSpan) span).toSpanData();
    }
  }

  @Test
  void addTo_exporterNone_returnsTheSame() {
    assertThat(new ProfilerHostId(null).addTo(SpanExporter.composite()))
        .isSameAs(SpanExporter.composite());
  }

  @Test
  void export_withoutId_passesTheCollectionOn() {
    Collection<SpanData> spans = List.of(span(Resource.empty()));

    assertThat(exporter.export(spans)).isSameAs(delegate.exportResult);
    assertThat(delegate.exported).isSameAs(spans);
  }

  @Test
  void export_withLearnedId_addsItAndNothingElse() {
    SpanData span = span(Resource.builder().put("service.name", "s").setSchemaUrl("u").build());
    hostId.onRegistration("host-1");

    assertThat(exporter.export(List.of(span))).isSameAs(delegate.exportResult);
    assertThat(delegate.exported).hasSize(1);
    SpanData exported = delegate.exported.iterator().next();
    assertThat(exported.getResource())
        .isEqualTo(
            Resource.builder()
                .put("service.name", "s")
                .put("host.id", "host-1")
                .setSchemaUrl("u")
                .build());
    EveryMethod.but(Set.of("getResource"), span, exported, SpanData.class);
  }

  @Test
  void export_resourceWithHostId_isUnchanged() {
    SpanData with = span(Resource.create(Attributes.of(stringKey("host.id"), "own")));
    SpanData without = span(Resource.empty());
    hostId.onRegistration("host-1");
    exporter.export(List.of(with, without, with));

    List<SpanData> exported = new ArrayList<>(delegate.exported);
    assertThat(exported).hasSize(3);
    assertThat(exported.get(0)).isSameAs(with);
    assertThat(exported.get(1).getResource().getAttribute(stringKey("host.id")))
        .isEqualTo("host-1");
    assertThat(exported.get(2)).isSameAs(with);
  }

  @Test
  void exporter_resourceHasHostId_changesNothing() {
    ProfilerHostId known = new ProfilerHostId("own");
    known.onRegistration("own");
    Collection<SpanData> spans = List.of(span(Resource.empty()));
    HostIdExporter.of(delegate, known).export(spans);

    assertThat(delegate.exported).isSameAs(spans);
  }

  @Test
  void resource_forAllSpansOfAnSdk_isMadeOnce() {
    // Exporters group by resource, and some compare resources by identity.
    Resource resource = Resource.builder().put("service.name", "s").build();
    hostId.onRegistration("host-1");
    exporter.export(List.of(span(resource), span(resource)));
    List<SpanData> exported = new ArrayList<>(delegate.exported);
    exporter.export(List.of(span(resource)));
    exported.addAll(delegate.exported);

    assertThat(exported).hasSize(3);
    assertThat(exported).allMatch(s -> s.getResource() == exported.get(0).getResource());
  }

  @Test
  void resources_several_keepTheirAttributes() {
    hostId.onRegistration("host-1");
    List<SpanData> spans = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      spans.add(span(Resource.builder().put("service.name", "s" + i % 3).build()));
    }
    exporter.export(spans);

    int i = 0;
    for (SpanData exported : delegate.exported) {
      assertThat(exported.getResource())
          .isEqualTo(
              Resource.builder()
                  .put("service.name", "s" + i++ % 3)
                  .put("host.id", "host-1")
                  .build());
    }
    assertThat(i).isEqualTo(10);
  }

  @Test
  void export_emptyCollection_staysEmpty() {
    hostId.onRegistration("host-1");
    exporter.export(List.of());

    assertThat(delegate.exported).isEmpty();
  }

  @Test
  void flushAndShutdown_always_callTheDelegate() {
    assertThat(exporter.flush()).isSameAs(delegate.flushResult);
    assertThat(delegate.shutdowns).isZero();
    assertThat(exporter.shutdown()).isSameAs(delegate.shutdownResult);
    assertThat(delegate.shutdowns).isEqualTo(1);
  }

  private static final class Delegate extends RecordedExports<SpanData> implements SpanExporter {}
}
