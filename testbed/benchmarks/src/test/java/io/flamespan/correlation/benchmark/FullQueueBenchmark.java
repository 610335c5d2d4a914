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
 * {@link SpanBenchmark} without a registration: spans wait for a second, so the queue is always
 * full at this rate.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Benchmark)
public class FullQueueBenchmark {
  @Param({BenchmarkedApp.ABSENT, "true"})
  public String mode;

  private BenchmarkedApp app;

  @Setup
  public void start() {
    app = BenchmarkedApp.startWithoutRegistration(mode);
  }

  @TearDown
  public void stop() {
    app.close();
  }

  @Benchmark
  public Span sampledRootIntoFullQueue() {
    Span root = app.tracer().spanBuilder("root").startSpan();
    root.end();
    return root;
  }
}
