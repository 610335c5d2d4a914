/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.springboot;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;

/** What needs OpenTelemetry: uses the context before the SDK exists, as log lines of Spring do. */
final class TracedPart {
  private TracedPart() {}

  static void run() {
    boolean unchanged = ContextStorage.get() == ContextStorage.defaultStorage();
    System.out.println("default storage: " + unchanged);
    try (OpenTelemetrySdk sdk =
        AutoConfiguredOpenTelemetrySdk.builder()
            .disableShutdownHook()
            .build()
            .getOpenTelemetrySdk()) {
      Span span = sdk.getTracer("test").spanBuilder("ping").startSpan();
      try (Scope scope = span.makeCurrent()) {
        System.out.println("current: " + (Span.current() == span));
      }
      span.end();
    }
  }
}
