/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static io.flamespan.correlation.testing.Waiting.await;

import io.flamespan.correlation.internal.runtime.WorkerBarrier;
import io.flamespan.testbed.harness.OtlpReceiver;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An autoconfigured SDK with the plug-in that exports to a real OTLP receiver. Each test has a
 * separate SDK, one after the other.
 */
public final class CorrelatedSdk implements AutoCloseable {
  public static final String PREFIX = "flamespan.";

  private final OtlpReceiver receiver;
  private final Path socketDir;
  private final OpenTelemetrySdk sdk;
  private @Nullable FakeProfiler profiler;

  private CorrelatedSdk(OtlpReceiver receiver, Path socketDir, OpenTelemetrySdk sdk) {
    this.receiver = receiver;
    this.socketDir = socketDir;
    this.sdk = sdk;
  }

  /**
   * Starts the SDK. Settings are pairs of property and value, which override the defaults of the
   * tests.
   */
  public static CorrelatedSdk start(String... settings) {
    return start(builder -> {}, settings);
  }

  public static CorrelatedSdk start(
      Consumer<AutoConfiguredOpenTelemetrySdkBuilder> customizer, String... settings) {
    try {
      OtlpReceiver receiver = new OtlpReceiver();
      Path socketDir = Files.createTempDirectory(Paths.get("/tmp"), "pc");
      Map<String, String> properties = new HashMap<>();
      properties.put("otel.exporter.otlp.endpoint", receiver.endpoint());
      properties.put("otel.exporter.otlp.protocol", "http/protobuf");
      properties.put("otel.metrics.exporter", "none");
      properties.put("otel.logs.exporter", "none");
      properties.put("otel.bsp.schedule.delay", "10ms");
      properties.put("otel.service.name", "checkout");
      properties.put(PREFIX + "enabled", "true");
      properties.put(PREFIX + "socket.dir", socketDir.toString());
      for (int i = 0; i < settings.length; i += 2) {
        properties.put(settings[i], settings[i + 1]);
      }
      AutoConfiguredOpenTelemetrySdkBuilder builder =
          AutoConfiguredOpenTelemetrySdk.builder()
              .disableShutdownHook()
              .addPropertiesSupplier(() -> properties);
      customizer.accept(builder);
      OpenTelemetrySdk sdk = builder.build().getOpenTelemetrySdk();
      ShownThreadContext.findLibrary();
      return new CorrelatedSdk(receiver, socketDir, sdk);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a customizer that runs after those of the plug-in, which are registered by then. */
  public static Consumer<AutoConfiguredOpenTelemetrySdkBuilder> afterThePlugin(
      Consumer<SdkTracerProviderBuilder> customizer) {
    return sdk ->
        sdk.addSamplerCustomizer(
            (sampler, config) -> {
              sdk.addTracerProviderCustomizer(
                  (tracing, properties) -> {
                    customizer.accept(tracing);
                    return tracing;
                  });
              return sampler;
            });
  }

  /** Starts the SDK with another span processor. */
  public static CorrelatedSdk startWith(SpanProcessor added, String... settings) {
    return start(
        sdk -> sdk.addTracerProviderCustomizer((tracing, c) -> tracing.addSpanProcessor(added)),
        settings);
  }

  /** Starts the SDK with a metric reader. */
  public static CorrelatedSdk startWith(MetricReader reader, String... settings) {
    return start(
        sdk -> sdk.addMeterProviderCustomizer((meters, c) -> meters.registerMetricReader(reader)),
        settings);
  }

  /** Starts the SDK with another sampler, which the plug-in wraps. */
  public static CorrelatedSdk startWith(Sampler sampler, String... settings) {
    return start(sdk -> sdk.addSamplerCustomizer((before, c) -> sampler), settings);
  }

  /** Starts a span below the current one. */
  public Span span(String name) {
    return tracer().spanBuilder(name).startSpan();
  }

  public Span child(Span parent) {
    return tracer().spanBuilder("child").setParent(Context.root().with(parent)).startSpan();
  }

  public OpenTelemetrySdk sdk() {
    return sdk;
  }

  public Tracer tracer() {
    return sdk.getTracer("test");
  }

  public Path socketDir() {
    return socketDir;
  }

  /** Returns the profiler that sends to this SDK. It is closed with the SDK. */
  public FakeProfiler profiler() {
    if (profiler == null) {
      profiler = FakeProfiler.of(socketDir);
    }
    return profiler;
  }

  public OtlpReceiver receiver() {
    return receiver;
  }

  /**
   * Waits for the worker's tasks, reads the socket, releases the waiting spans and exports them.
   * Shortly after another flush this may return early, because the SDK's batch processor then
   * returns the result of the other flush.
   */
  public void flush() {
    WorkerBarrier.awaitTasks();
    if (!sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES).isSuccess()) {
      throw new IllegalStateException("flush failed");
    }
  }

  /** Flushes by a shutdown. After that, no export is still running, unlike after a flush. */
  public void shutdown() {
    if (!sdk.getSdkTracerProvider().shutdown().join(1, TimeUnit.MINUTES).isSuccess()) {
      throw new IllegalStateException("shutdown failed");
    }
  }

  /** Returns the received spans with the id of this one. */
  public List<OtlpReceiver.ReceivedSpan> received(Span span) {
    String id = span.getSpanContext().getSpanId();
    return receiver.spans().stream()
        .filter(received -> hex(received.span().getSpanId().toByteArray()).equals(id))
        .toList();
  }

  /** Waits for the span. Fails if it is not received exactly once. */
  public OtlpReceiver.ReceivedSpan awaitReceived(Span span) {
    await().until(() -> !received(span).isEmpty());
    List<OtlpReceiver.ReceivedSpan> received = received(span);
    if (received.size() != 1) {
      throw new AssertionError("received " + received.size() + " times: " + span);
    }
    return received.get(0);
  }

  /** Waits for the span. Returns its stack trace ids. */
  public List<String> receivedStackTraceIds(Span span) {
    return awaitReceived(span).span().getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals("elastic.profiler_stack_trace_ids"))
        .flatMap(CorrelatedSdk::strings)
        .toList();
  }

  private static java.util.stream.Stream<String> strings(KeyValue attribute) {
    return attribute.getValue().getArrayValue().getValuesList().stream()
        .map(value -> value.getStringValue());
  }

  public static String hex(byte[] bytes) {
    return java.util.HexFormat.of().formatHex(bytes);
  }

  @Override
  public void close() {
    sdk.close();
    receiver.close();
    if (profiler != null) {
      profiler.close();
    }
    try {
      try (java.util.stream.Stream<Path> files = Files.walk(socketDir)) {
        files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    } catch (IOException e) {
      // the test deleted the directory
    }
  }
}
