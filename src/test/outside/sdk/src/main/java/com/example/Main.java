/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;

/** An application of a user, who has added a dependency and nothing else. */
public final class Application {
  private Application() {}

  public static void main(String[] arguments) {
    AutoConfiguredOpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.initialize();
    sdk.getOpenTelemetrySdk().getTracer("application").spanBuilder("start").startSpan().end();
  }
}
