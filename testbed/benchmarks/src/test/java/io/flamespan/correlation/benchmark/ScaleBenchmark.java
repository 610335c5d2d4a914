/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import java.util.ArrayList;
import java.util.List;
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

/** The cost of a trace while many others are alive. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Benchmark)
public class ScaleBenchmark {
  @Param({BenchmarkedApp.ABSENT, "true"})
  public String mode;

  @Param({"10", "1000", "100000"})
  public int liveRoots;

  private final List<Span> live = new ArrayList<>();
  private BenchmarkedApp app;

  @Setup
  public void start() {
    app = BenchmarkedApp.start(mode);
    for (int i = 0; i < liveRoots; i++) {
      live.add(app.tracer().spanBuilder("live").startSpan());
    }
  }

  @TearDown
  public void stop() {
    app.close();
  }

  @Benchmark
  public Span currentRootAmongOthers() {
    Span root = app.tracer().spanBuilder("root").startSpan();
    root.makeCurrent().close();
    root.end();
    return root;
  }
}
