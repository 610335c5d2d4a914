/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;

/** Ends as many local root spans as its argument says, then lives until its input ends. */
public final class ManyRootsApp {
  private ManyRootsApp() {}

  public static void main(String[] arguments) throws Exception {
    OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();
    Tracer tracer = sdk.getTracer("test");
    for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
      tracer.spanBuilder("root").startSpan().end();
    }
    System.out.println("ended");
    int unused = System.in.read();
  }
}
