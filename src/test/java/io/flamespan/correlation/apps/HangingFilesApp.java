/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves requests until it is ended. Prints after each how many have ended, how many were exported,
 * and how many of them with stack trace ids.
 */
public final class HangingFilesApp {
  /**
   * The property that names the directory for temporary files. The application makes it that one,
   * because a JVM of Java 25 looks at such a directory itself, and waits, if a command line sets
   * it.
   */
  public static final String DIRECTORY = "test.tmpdir";

  private static final int PAUSE_MILLIS = 100;

  /** With the argument "profiler", a profiler samples each request. */
  public static void main(String[] arguments) throws Exception {
    System.setProperty("java.io.tmpdir", System.getProperty(DIRECTORY));
    RecordingSpanExporter exporter = new RecordingSpanExporter();
    OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .addSpanExporterCustomizer((unused, properties) -> exporter)
            .build()
            .getOpenTelemetrySdk();
    FakeProfiler profiler = null;
    if (List.of(arguments).contains("profiler")) {
      profiler = FakeProfiler.connectedTo(Path.of(System.getProperty("java.io.tmpdir")));
      profiler.registration(PAUSE_MILLIS, "");
      while (withIds(exporter)
          == 0) { // in mode auto, spans do not wait before that message is read
        if (!request(sdk, profiler)) {
          System.out.println("flushed=false");
        }
      }
      exporter.clear();
    }
    System.out.println("ready");
    for (int ended = 1; true; ended++) {
      boolean flushed = request(sdk, profiler);
      System.out.printf(
          "ended=%d exported=%d ids=%d flushed=%b%n",
          ended, exporter.spans().size(), withIds(exporter), flushed);
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** Returns whether its span was flushed. */
  private static boolean request(OpenTelemetrySdk sdk, @Nullable FakeProfiler profiler)
      throws IOException {
    Span span = sdk.getTracer("test").spanBuilder("request").startSpan();
    if (profiler != null) {
      String traceId = span.getSpanContext().getTraceId();
      String id = span.getSpanContext().getSpanId();
      profiler.correlation(traceId, id, FakeProfiler.STACK, 1);
    }
    span.end();
    return sdk.getSdkTracerProvider().forceFlush().join(9, TimeUnit.SECONDS).isSuccess();
  }

  private static long withIds(RecordingSpanExporter exporter) {
    return exporter.spans().stream()
        .filter(span -> span.getAttributes().get(RecordingSpanExporter.STACK_TRACE_IDS) != null)
        .count();
  }

  private HangingFilesApp() {}
}
