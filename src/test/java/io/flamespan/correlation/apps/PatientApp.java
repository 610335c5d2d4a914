/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import static io.flamespan.correlation.testing.Waiting.await;

import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.OtherPublisher;
import io.flamespan.correlation.testing.StatusText;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Configures an SDK, shows one span, and keeps running. The arguments select deviations from a
 * usual application: with "no-sdk" it has no SDK, with "global" it uses the SDK of an agent.
 */
public final class PatientApp {
  public static void main(String[] arguments) throws Exception {
    List<String> faults = List.of(arguments);
    if (faults.contains("context-first")) {
      try (Scope scope = Context.root().makeCurrent()) {
        System.out.println("The context was used before the SDK was configured.");
      }
    }
    if (faults.contains("other-process-context")) {
      OtherPublisher.publishReadableProcessContext();
    }
    if (!faults.contains("no-sdk")) {
      OpenTelemetry sdk =
          faults.contains("global")
              ? GlobalOpenTelemetry.get()
              : sdk(faults.contains("sampler-set-in-code"));
      Span span = sdk.getTracer("patient").spanBuilder("ended").startSpan();
      span.makeCurrent().close();
      span.end();
      sdk.getTracer("patient").spanBuilder("shown").startSpan().makeCurrent();
      if (faults.contains("closed")) {
        ((OpenTelemetrySdk) sdk).close();
        await().until(() -> "stopped".equals(StatusText.ofThisProcess().get("state")));
      }
    }
    if (faults.contains("two-sdks")) {
      sdk(false);
    }
    if (faults.contains("hanging-worker")) {
      hangWorker();
    }
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  /** Makes the worker hang: its log message goes to a handler that never returns. */
  private static void hangWorker() throws Exception {
    await().ignoreExceptions().until(() -> StatusText.ofThisProcess().containsKey("socket"));
    Logger logger = Logger.getLogger("io.flamespan.correlation");
    CountDownLatch hangs = new CountDownLatch(1);
    logger.addHandler(
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            if (record.getLevel() == Level.WARNING) {
              hangs.countDown();
              while (true) {
                LockSupport.park();
              }
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        });
    // Not the first socket of its directory, which processes of other tests share.
    Path socket = Path.of(StatusText.ofThisProcess().get("socket"));
    try (FakeProfiler profiler = FakeProfiler.to(socket)) {
      profiler.send(new byte[] {1, 0, 1, 0}); // truncated, which causes a warning
    }
    hangs.await();
  }

  private static OpenTelemetry sdk(boolean samplerSetInCode) {
    return AutoConfiguredOpenTelemetrySdk.builder()
        .addTracerProviderCustomizer(
            (tracing, config) ->
                samplerSetInCode ? tracing.setSampler(Sampler.alwaysOn()) : tracing)
        .build()
        .getOpenTelemetrySdk();
  }

  private PatientApp() {}
}
