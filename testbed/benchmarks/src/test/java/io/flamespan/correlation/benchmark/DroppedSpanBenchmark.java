/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.internal.localroot.LocalRootSampler;
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

/** The cost that the plug-in adds to spans that the sampler drops. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Benchmark)
public class DroppedSpanBenchmark {
  @Param({BenchmarkedApp.ABSENT, "auto", "true"})
  public String mode;

  private BenchmarkedApp app;

  @Setup
  public void start() {
    app = BenchmarkedApp.start(mode, "otel.traces.sampler", "always_off");
  }

  @TearDown
  public void stop() {
    app.close();
  }

  @Benchmark
  public Span droppedRoot() {
    Span root = app.tracer().spanBuilder("root").startSpan();
    root.end();
    return root;
  }

  /** Wants the names of spans, as an embedded profiler does. */
  @State(Scope.Benchmark)
  public static class Names {
    @Setup
    public void keep() {
      LocalRootSampler.keepNames(true);
    }
  }

  @Benchmark
  public Span droppedRootWithItsName(Names unused) {
    return droppedRoot();
  }
}
