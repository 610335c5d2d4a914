/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.FakeProfiler;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The SDK of a measured application, autoconfigured as in production. A processor of the
 * measurement replaces the exporting one, which follows its own schedule.
 */
final class MeasuredSdk {
  private MeasuredSdk() {}

  /**
   * Starts the SDK with the plug-in.
   *
   * @param exported receives each span at the time at which it would be queued for export
   */
  static OpenTelemetrySdk start(Consumer<ReadableSpan> exported) {
    return AutoConfiguredOpenTelemetrySdk.builder()
        .addSpanProcessorCustomizer(
            (exporting, config) -> {
              exporting.shutdown().join(10, TimeUnit.SECONDS);
              return new EndProcessor(exported);
            })
        .build()
        .getOpenTelemetrySdk();
  }

  /** Makes the plug-in delay spans by this time from now on. */
  static void delayBy(int millis, OpenTelemetrySdk sdk) {
    String socketDir = System.getProperty(CorrelatedSdk.PREFIX + "socket.dir");
    try (FakeProfiler profiler = FakeProfiler.of(Path.of(socketDir))) {
      profiler.registration(millis, "host");
    }
    // A flush returns when all messages sent so far have been read.
    sdk.getSdkTracerProvider().forceFlush().join(10, TimeUnit.SECONDS);
  }

  private record EndProcessor(Consumer<ReadableSpan> exported) implements SpanProcessor {
    @Override
    public void onStart(Context parentContext, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
      return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
      exported.accept(span);
    }

    @Override
    public boolean isEndRequired() {
      return true;
    }
  }
}
