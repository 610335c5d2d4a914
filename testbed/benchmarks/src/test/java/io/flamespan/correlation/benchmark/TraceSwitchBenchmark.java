/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
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
 * The cost that the plug-in adds where one thread, such as an event loop, alternates between many
 * traces.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Benchmark)
public class TraceSwitchBenchmark {
  private static final int TRACES = 64; // a power of two

  @Param({BenchmarkedApp.ABSENT, "auto", "true", BenchmarkedApp.ELASTIC_ALONE})
  public String mode;

  private final Context[] roots = new Context[TRACES];
  private final Context[] children = new Context[TRACES];
  private BenchmarkedApp app;
  private int turn;

  @Setup
  public void start() {
    app = BenchmarkedApp.start(mode);
    for (int i = 0; i < TRACES; i++) {
      Span root = app.tracer().spanBuilder("root").setNoParent().startSpan();
      roots[i] = Context.root().with(root);
      Span child = app.tracer().spanBuilder("child").setParent(roots[i]).startSpan();
      children[i] = roots[i].with(child);
    }
  }

  @TearDown
  public void stop() {
    app.close();
  }

  private int next() {
    return turn = (turn + 1) % TRACES;
  }

  /** Two switches: the child of the next trace, and none. */
  @Benchmark
  public Context childOfNextTrace() {
    try (io.opentelemetry.context.Scope scope = children[next()].makeCurrent()) {
      return Context.current();
    }
  }

  /** Four switches: root and child of the next trace, and back. */
  @Benchmark
  public Context rootAndChildOfNextTrace() {
    int next = next();
    try (io.opentelemetry.context.Scope rootScope = roots[next].makeCurrent();
        io.opentelemetry.context.Scope childScope = children[next].makeCurrent()) {
      return Context.current();
    }
  }

  /** A thread on which the root of a trace is current. */
  @State(Scope.Thread)
  public static class InRoot {
    private io.opentelemetry.context.Scope scope;

    @Setup
    public void attach(TraceSwitchBenchmark benchmark) {
      scope = benchmark.roots[0].makeCurrent();
    }

    @TearDown
    public void detach() {
      scope.close();
    }
  }

  /** Two switches: from the root of one trace to the child of another, and back. */
  @Benchmark
  public Context childOfAnotherTrace(InRoot inRoot) {
    try (io.opentelemetry.context.Scope scope = children[1].makeCurrent()) {
      return Context.current();
    }
  }
}
