/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Configures SDKs, each on a separate thread and all at once, and prints how many stack trace ids a
 * local root span of each gets. Arguments: the number of SDKs, and the directory of the socket.
 */
public final class SdksAtOnceApp {
  private SdksAtOnceApp() {}

  private record Service(String name, OpenTelemetrySdk sdk, RecordingSpanExporter exporter) {}

  public static void main(String[] arguments) throws Exception {
    int number = Integer.parseInt(arguments[0]);
    Path socketDir = Path.of(arguments[1]);
    ExecutorService threads = Executors.newFixedThreadPool(number);
    CyclicBarrier barrier = new CyclicBarrier(number);
    List<Future<Service>> starts = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      String name = "sdk-" + i;
      starts.add(
          threads.submit(
              () -> {
                barrier.await();
                return configure(name, socketDir);
              }));
    }
    List<Service> services = new ArrayList<>();
    for (Future<Service> start : starts) {
      services.add(start.get());
    }
    try (FakeProfiler profiler = FakeProfiler.of(socketDir)) {
      profiler.registration(60_000, "");
      for (Service service : services) {
        Span root = service.sdk.getTracer("test").spanBuilder("root").startSpan();
        profiler.correlation(root, 1);
        root.end();
        service.sdk.getSdkTracerProvider().forceFlush().join(1, TimeUnit.MINUTES);
        System.out.println(service.name + ": " + service.exporter.stackTraceIds(root).size());
      }
    }
    services.forEach(service -> service.sdk.close());
    threads.shutdown();
  }

  private static Service configure(String name, Path socketDir) {
    RecordingSpanExporter exporter = new RecordingSpanExporter();
    Map<String, String> properties =
        Map.of(
            "otel.service.name",
            name,
            "otel.traces.exporter",
            "none",
            "otel.metrics.exporter",
            "none",
            "otel.logs.exporter",
            "none",
            CorrelatedSdk.PREFIX + "enabled",
            "true",
            CorrelatedSdk.PREFIX + "socket.dir",
            socketDir.toString());
    return new Service(
        name,
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .addPropertiesSupplier(() -> properties)
            .addTracerProviderCustomizer(
                (builder, config) ->
                    builder.addSpanProcessor(
                        ProfilingCorrelation.correlate(SimpleSpanProcessor.create(exporter))))
            .build()
            .getOpenTelemetrySdk(),
        exporter);
  }
}
