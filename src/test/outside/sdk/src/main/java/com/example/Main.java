/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package com.example;

import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;

/** An application of a user, who has added a dependency and nothing else. */
public final class Main {
  private Main() {}

  /** Runs until it is ended. */
  public static void main(String[] arguments) throws InterruptedException {
    AutoConfiguredOpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.initialize();
    sdk.getOpenTelemetrySdk().getTracer("application").spanBuilder("start").startSpan().end();
    System.out.println("application: started");
    Thread.sleep(60_000);
  }
}
