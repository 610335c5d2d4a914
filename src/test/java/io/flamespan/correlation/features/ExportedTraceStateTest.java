/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.internal.localroot.LocalRootTraceState;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DirectExporter;
import io.flamespan.correlation.testing.RecordingLogRecordExporter;
import io.flamespan.correlation.testing.RepeatableSdk;
import io.flamespan.testbed.harness.OtlpReceiver;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.internal.marshal.Marshaler;
import io.opentelemetry.exporter.internal.otlp.logs.LogsRequestMarshaler;
import io.opentelemetry.exporter.internal.otlp.traces.TraceRequestMarshaler;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.SimpleLogRecordProcessor;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: exporters receive and write the same trace states as in an SDK without the plug-in. */
class ExportedTraceStateTest {
  private static final TraceState RECEIVED =
      TraceState.builder().put("other", "opaque").put("es", "s:0.5").build();
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String EXPORTED = "es=s:0.5,other=opaque";

  @TempDir Path socketDir;

  private static boolean isOfALocalRoot(SpanContext span) {
    return LocalRootTraceState.rootOf(span) != null;
  }

  private SdkTracerProvider correlated(SdkTracerProviderBuilder builder) {
    builder.setSampler(ProfilingCorrelation.correlate(Sampler.parentBased(Sampler.alwaysOn())));
    return ProfilingCorrelation.builder(Resource.empty())
        .setMode(ProfilingCorrelation.Mode.ENABLED)
        .set("flamespan.socket.dir", socketDir.toString())
        .start()
        .install(builder)
        .build();
  }

  private static Context received() {
    SpanContext sender =
        SpanContext.createFromRemoteParent(
            "0af7651916cd43dd8448eb211c80319c",
            "b7ad6b7169203331",
            TraceFlags.getSampled(),
            RECEIVED);
    return Context.root().with(Span.wrap(sender));
  }

  /**
   * Creates a trace from a received context, and a second one with links to it. Returns all spans.
   */
  private static List<SpanContext> createSpans(SdkTracerProvider tracing) {
    Tracer tracer = tracing.get("test");
    Span server = tracer.spanBuilder("server").setParent(received()).startSpan();
    Span child = tracer.spanBuilder("child").setParent(Context.root().with(server)).startSpan();
    child.end();
    server.end();
    tracing.forceFlush().join(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    Span linked =
        tracer
            .spanBuilder("linked")
            .setNoParent()
            .addLink(server.getSpanContext())
            .addLink(child.getSpanContext())
            .startSpan();
    linked.end();
    assertThat(tracing.shutdown().join(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).isSuccess())
        .isTrue();
    return List.of(server.getSpanContext(), child.getSpanContext(), linked.getSpanContext());
  }

  @Test
  void spans_inEachForm_areTheSame() throws IOException {
    List<List<io.opentelemetry.proto.trace.v1.Span>> spans = new ArrayList<>();
    List<List<String>> texts = List.of(new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
    for (boolean withPlugin : List.of(false, true)) {
      try (OtlpReceiver receiver = new OtlpReceiver()) {
        SpanProcessor processor =
            SimpleSpanProcessor.create(
                SpanExporter.composite(
                    OtlpHttpSpanExporter.builder()
                        .setEndpoint(receiver.endpoint() + "/v1/traces")
                        .setTimeout(PATIENCE) // a busy machine may need longer than the default
                        .build(),
                    textsTo(texts.get(withPlugin ? 1 : 0))));
        List<SpanContext> created =
            createSpans(
                withPlugin
                    ? correlated(RepeatableSdk.builder(ProfilingCorrelation.correlate(processor)))
                    : RepeatableSdk.builder(processor).build());
        assertThat(created).allMatch(span -> isOfALocalRoot(span) == withPlugin);
        spans.add(inOrder(receiver));
      }
    }
    assertThat(spans.get(1)).isEqualTo(spans.get(0)).hasSize(3);
    assertThat(texts.get(1)).isEqualTo(texts.get(0)).hasSize(3);
    assertThat(spans.get(1))
        .extracting(span -> span.getTraceState())
        .containsExactly(EXPORTED, EXPORTED, "");
    assertThat(spans.get(1).get(2).getLinksList())
        .extracting(link -> link.getTraceState())
        .containsExactly(EXPORTED, EXPORTED);
  }

  /** Returns the spans by id, because requests may overtake one another. */
  private static List<io.opentelemetry.proto.trace.v1.Span> inOrder(OtlpReceiver receiver) {
    return receiver.spans().stream()
        .map(OtlpReceiver.ReceivedSpan::span)
        .sorted(Comparator.comparing(span -> CorrelatedSdk.hex(span.getSpanId().toByteArray())))
        .toList();
  }

  /** Returns an exporter that writes spans as text and as JSON. */
  private static SpanExporter textsTo(List<String> texts) {
    return (DirectExporter)
        spans -> {
          texts.add(spans + json(TraceRequestMarshaler.create(spans)));
          return CompletableResultCode.ofSuccess();
        };
  }

  private static String json(Marshaler marshaler) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      marshaler.writeJsonTo(out);
      return out.toString(UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void logRecords_ofSpans_areTheSame() {
    List<List<LogRecordData>> records = new ArrayList<>();
    for (boolean withPlugin : List.of(false, true)) {
      RecordingLogRecordExporter recorder = new RecordingLogRecordExporter();
      SdkTracerProviderBuilder builder =
          RepeatableSdk.builder(SimpleSpanProcessor.create(textsTo(new CopyOnWriteArrayList<>())));
      try (SdkTracerProvider tracing = withPlugin ? correlated(builder) : builder.build();
          SdkLoggerProvider logging =
              SdkLoggerProvider.builder()
                  .setClock(RepeatableSdk.clock())
                  .addLogRecordProcessor(SimpleLogRecordProcessor.create(recorder))
                  .build()) {
        Span server = tracing.get("test").spanBuilder("server").setParent(received()).startSpan();
        assertThat(isOfALocalRoot(server.getSpanContext())).isEqualTo(withPlugin);
        logging
            .get("test")
            .logRecordBuilder()
            .setContext(Context.root().with(server))
            .setBody("text")
            .emit();
        server.end();
      }
      records.add(recorder.exported);
    }
    assertThat(records.get(1)).hasSameSizeAs(records.get(0)).hasSize(1);
    assertThat(records.get(1)).hasToString(records.get(0).toString());
    assertThat(records.get(1).get(0).getSpanContext())
        .isEqualTo(records.get(0).get(0).getSpanContext());
    assertThat(json(LogsRequestMarshaler.create(records.get(1))))
        .isEqualTo(json(LogsRequestMarshaler.create(records.get(0))));
  }
}
