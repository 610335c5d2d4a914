/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.plain;

import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;

/** An application with only an autoconfigured SDK. Its rows differ in the Java runtime. */
public final class PlainApp {
  private PlainApp() {}

  /**
   * Serves requests until the process is terminated. With the argument {@code once}, it sends a few
   * requests to itself and ends.
   */
  public static void main(String[] arguments) throws IOException {
    PlainServer.start(
        new TracedRequests(AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk()));
    if (arguments.length > 0 && arguments[0].equals("once")) {
      System.exit(0);
    }
  }
}
