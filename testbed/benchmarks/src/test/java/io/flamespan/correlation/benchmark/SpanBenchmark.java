/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost that the plug-in adds to spans, compared with the SDK alone in the same run. Local root
 * spans wait for 1 ms and are then passed to a batch processor.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Benchmark)
public class SpanBenchmark {
  private static final int CHILDREN = 4;

  @Param({BenchmarkedApp.ABSENT, "auto", "true"})
  public String mode;

  private BenchmarkedApp app;

  @Setup
  public void start() {
    app = BenchmarkedApp.start(mode);
  }

  @TearDown
  public void stop() {
    app.close();
  }

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
