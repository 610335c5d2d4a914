/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * {@link SpanBenchmark} without a registration: spans wait for a second, so the queue is always
 * full at this rate.
 */
public class FullQueueBenchmark extends AppBenchmark {
  @Override
  BenchmarkedApp startApp() {
    return BenchmarkedApp.startWithoutRegistration(mode);
  }

  @Benchmark
  public Span sampledRootIntoFullQueue() {
    Span root = app.tracer().spanBuilder("root").startSpan();
    root.end();
    return root;
  }
}
