/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.ProfilingCorrelation;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.List;

/** The smallest application: makes one span current and exports it. */
public final class PingApp {
  private PingApp() {}

  /**
   * Arguments, in any combination: "register-first" registers the context storage first, as the
   * README recommends; "context-first" uses the context before the SDK is configured; "no-shutdown"
   * exits without shutting the SDK down.
   */
  public static void main(String[] arguments) {
    List<String> words = List.of(arguments);
    if (words.contains("register-first")) {
      ProfilingCorrelation.registerContextStorage();
    }
    if (words.contains("context-first")) {
      Context.current();
    }
    OpenTelemetrySdk sdk = sdk();
    Span span = sdk.getTracer("test").spanBuilder("ping").startSpan();
    try (Scope scope = span.makeCurrent()) {
      System.out.println("current: " + (Span.current() == span));
    }
    span.end();
    if (!words.contains("no-shutdown")) {
      sdk.close();
    }
  }

  /** Returns the usual SDK of these applications. */
  public static OpenTelemetrySdk sdk() {
    return AutoConfiguredOpenTelemetrySdk.builder()
        .disableShutdownHook()
        .build()
        .getOpenTelemetrySdk();
  }
}
