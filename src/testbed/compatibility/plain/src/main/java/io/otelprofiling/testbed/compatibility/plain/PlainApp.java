/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.testbed.compatibility.plain;

import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;

/**
 * Nothing but an autoconfigured SDK: what differs between the rows of this application is the Java
 * runtime.
 */
public final class PlainApp {
  private PlainApp() {}

  /**
   * Serves requests until the process is terminated. With the argument {@code once}, it serves some
   * of its own and ends.
   */
  public static void main(String[] arguments) throws IOException {
    PlainServer.start(
        new TracedRequests(AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk()));
    if (arguments.length > 0 && arguments[0].equals("once")) {
      System.exit(0);
    }
  }
}
