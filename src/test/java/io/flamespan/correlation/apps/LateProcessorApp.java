/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.testing.RecordingSpanProcessor;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.samplers.Sampler;

/**
 * Adds a wrapped processor after {@code install}, or does not call that at all. Arguments: the
 * directory of the socket, and "after" or "without".
 */
public final class LateProcessorApp {
  private LateProcessorApp() {}

  public static void main(String[] arguments) {
    ProfilingCorrelation.registerContextStorage();
    ProfilingCorrelation correlation =
        ProfilingCorrelation.builder(Resource.getDefault())
            .setMode(ProfilingCorrelation.Mode.ENABLED)
            .set("flamespan.socket.dir", arguments[0])
            .start();
    SdkTracerProviderBuilder builder =
        SdkTracerProvider.builder().setSampler(ProfilingCorrelation.correlate(Sampler.alwaysOn()));
    if (arguments[1].equals("after")) {
      correlation.install(builder);
    }
    RecordingSpanProcessor processor = new RecordingSpanProcessor();
    SdkTracerProvider provider =
        builder.addSpanProcessor(ProfilingCorrelation.correlate(processor)).build();
    for (int i = 0; i < 3; i++) {
      provider.get("test").spanBuilder("root").startSpan().end();
    }
    System.out.println("passed on: " + processor.ended.size());
    System.exit(0); // close would warn that nothing was installed
  }
}
