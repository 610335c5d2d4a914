/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.internal.localroot.LocalRootTraceState;
import io.flamespan.correlation.testing.ElasticJar;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.flamespan.correlation.testing.RepeatableSdk;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.contrib.awsxray.propagator.AwsXrayPropagator;
import io.opentelemetry.extension.trace.propagation.B3Propagator;
import io.opentelemetry.extension.trace.propagation.JaegerPropagator;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurablePropagatorProvider;
import io.opentelemetry.sdk.autoconfigure.spi.internal.DefaultConfigProperties;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Promise: propagators send the same headers for each span as without the plug-in. */
class PropagatedTraceStateTest {
  private static final TraceState RECEIVED = TraceState.builder().put("es", "s:0.5").build();

  @TempDir Path socketDir;

  @SuppressWarnings("deprecation") // Jaeger's propagator, which applications still use
  enum Format {
    W3C(W3CTraceContextPropagator.getInstance()),
    B3_SINGLE(B3Propagator.injectingSingleHeader()),
    B3_MULTI(B3Propagator.injectingMultiHeaders()),
    JAEGER(JaegerPropagator.getInstance()),
    XRAY(AwsXrayPropagator.getInstance()),
    ELASTIC(elastic()),
    COMPOSITE(
        TextMapPropagator.composite(
            W3CTraceContextPropagator.getInstance(),
            W3CBaggagePropagator.getInstance(),
            B3Propagator.injectingMultiHeaders(),
            JaegerPropagator.getInstance(),
            AwsXrayPropagator.getInstance()));

    private final TextMapPropagator propagator;

    Format(TextMapPropagator propagator) {
      this.propagator = propagator;
    }

    boolean hasTraceState() {
      return propagator.fields().contains("tracestate");
    }

    private static TextMapPropagator elastic() {
      for (ConfigurablePropagatorProvider provider :
          ServiceLoader.load(ConfigurablePropagatorProvider.class, ElasticJar.loader())) {
        if (provider.getName().equals("elastic")) {
          return provider.getPropagator(DefaultConfigProperties.createFromMap(Map.of()));
        }
      }
      throw new AssertionError("no propagator named elastic");
    }
  }

  private static Context received(TraceFlags flags, TraceState state) {
    return Context.root()
        .with(
            Span.wrap(
                SpanContext.createFromRemoteParent(
                    "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", flags, state)));
  }

  private SdkTracerProvider sdk(boolean withPlugin) {
    SdkTracerProviderBuilder builder =
        RepeatableSdk.builder(SimpleSpanProcessor.create(new RecordingSpanExporter()));
    if (withPlugin) {
      builder.setSampler(ProfilingCorrelation.correlate(Sampler.parentBased(Sampler.alwaysOn())));
      ProfilingCorrelation.builder(Resource.empty())
          .setMode(ProfilingCorrelation.Mode.ENABLED)
          .set("flamespan.socket.dir", socketDir.toString())
          .start()
          .install(builder);
    }
    return builder.build();
  }

  /** Returns the headers that are sent while each span of a request is current. */
  private static List<Map<String, String>> send(
      SdkTracerProvider tracing, Context request, TextMapPropagator propagator) {
    Tracer tracer = tracing.get("test");
    Span server = tracer.spanBuilder("server").setParent(request).startSpan();
    Span client = tracer.spanBuilder("client").setParent(request.with(server)).startSpan();
    List<Map<String, String>> sent = new ArrayList<>();
    for (Span span : List.of(server, client, Span.wrap(client.getSpanContext()))) {
      Map<String, String> headers = new TreeMap<>();
      propagator.inject(request.with(span), headers, Map::put);
      sent.add(headers);
    }
    client.end();
    server.end();
    return sent;
  }

  private List<Map<String, String>> assertSendsTheSame(Format format, Context request) {
    List<Map<String, String>> without;
    try (SdkTracerProvider plain = sdk(false)) {
      without = send(plain, request, format.propagator);
    }
    try (SdkTracerProvider correlated = sdk(true)) {
      Span span = correlated.get("test").spanBuilder("span").setNoParent().startSpan();
      assertThat(LocalRootTraceState.rootOf(span.getSpanContext())).isNotNull();
    }
    try (SdkTracerProvider correlated = sdk(true)) {
      List<Map<String, String>> with = send(correlated, request, format.propagator);
      assertThat(with).isEqualTo(without).doesNotContain(Map.of());
      return with;
    }
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void headers_whateverWasReceived_areTheSame(Format format) {
    for (TraceFlags flags : List.of(TraceFlags.getSampled(), TraceFlags.getDefault())) {
      for (TraceState state : List.of(RECEIVED, TraceState.getDefault())) {
        String expected = format.hasTraceState() && !state.isEmpty() ? "es=s:0.5" : null;
        assertThat(assertSendsTheSame(format, received(flags, state)))
            .extracting(headers -> headers.get("tracestate"))
            .containsOnly(expected);
      }
    }
    assertThat(assertSendsTheSame(format, Context.root()))
        .noneMatch(headers -> headers.containsKey("tracestate"));
  }

  @Test
  void formats_withATraceState_areThoseOfW3c() {
    assertThat(List.of(Format.values()))
        .filteredOn(Format::hasTraceState)
        .containsExactly(Format.W3C, Format.ELASTIC, Format.COMPOSITE);
  }
}
