/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import org.openjdk.jmh.annotations.Benchmark;

/** The cost that the plug-in adds to spans that the sampler drops. */
public class DroppedSpanBenchmark extends AppBenchmark {
  @Override
  BenchmarkedApp startApp() {
    return BenchmarkedApp.start(mode, "otel.traces.sampler", "always_off");
  }

  @Benchmark
  public Span droppedRoot() {
    Span root = app.tracer().spanBuilder("root").startSpan();
    root.end();
    return root;
  }
}
