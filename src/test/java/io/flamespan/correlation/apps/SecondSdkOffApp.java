/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecodedRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.Map;

/** Configures an SDK with the plug-in, then one without it, and only then uses a context. */
public final class SecondSdkOffApp {
  public static void main(String[] arguments) {
    OpenTelemetrySdk first = sdk("true");
    OpenTelemetrySdk second = sdk("false");
    Span span = first.getTracer("test").spanBuilder("root").startSpan();
    try (Scope scope = span.makeCurrent()) {
      System.out.println("shown: " + DecodedRecord.ofCurrentThread().shows(span, span));
    }
    span.end();
    second.close();
    first.close();
  }

  private static OpenTelemetrySdk sdk(String mode) {
    return AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .addPropertiesSupplier(() -> Map.of(CorrelatedSdk.PREFIX + "enabled", mode))
        .build()
        .getOpenTelemetrySdk();
  }

  private SecondSdkOffApp() {}
}
