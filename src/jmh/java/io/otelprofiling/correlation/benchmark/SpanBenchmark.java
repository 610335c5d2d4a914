/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * The cost that the plug-in adds to spans, compared with the SDK alone in the same run. Local root
 * spans wait for 1 ms and are then passed to a batch processor.
 */
public class SpanBenchmark extends AppBenchmark {
  private static final int CHILDREN = 4;

  @Benchmark
  public Span sampledRoot() {
    Span root = app.tracer().spanBuilder("root").startSpan();
    root.end();
    return root;
  }

  /** Creates a local root span and four children, and makes each of them current. */
  @Benchmark
  public Span trace() {
    Span root = app.tracer().spanBuilder("root").startSpan();
    try (io.opentelemetry.context.Scope rootScope = root.makeCurrent()) {
      for (int i = 0; i < CHILDREN; i++) {
        Span child = app.tracer().spanBuilder("child").startSpan();
        child.makeCurrent().close();
        child.end();
      }
    }
    root.end();
    return root;
  }
}
