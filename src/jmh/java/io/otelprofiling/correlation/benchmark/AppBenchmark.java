/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import java.util.concurrent.TimeUnit;
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

/** The cost of an operation of an application in each mode, the SDK alone among them. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Benchmark)
public abstract class AppBenchmark {
  @Param({BenchmarkedApp.ABSENT, "true"})
  public String mode;

  BenchmarkedApp app;

  @Setup
  public void start() {
    app = startApp();
    prepare();
  }

  BenchmarkedApp startApp() {
    return BenchmarkedApp.start(mode);
  }

  /** Creates what the operation works on. */
  void prepare() {}

  @TearDown
  public void stop() {
    app.close();
  }
}
