/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost that the plug-in adds to making spans current, compared with the SDK alone in the same
 * run.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Benchmark)
public class ScopeBenchmark {
  @Param({BenchmarkedApp.ABSENT, "auto", "true", BenchmarkedApp.ELASTIC_ALONE})
  public String mode;

  private BenchmarkedApp app;
  private Context root;
  private Context child;
  private Context rootWithValue;

  @Setup
  public void start() {
    app = BenchmarkedApp.start(mode);
    Span rootSpan = app.tracer().spanBuilder("root").startSpan();
    root = Context.root().with(rootSpan);
    rootWithValue = root.with(ContextKey.named("key"), "value");
    child = root.with(app.tracer().spanBuilder("child").setParent(root).startSpan());
  }

  @TearDown
  public void stop() {
    app.close();
  }

  /** Four switches: no trace, the root, the child, and back. */
  @Benchmark
  public Context rootAndChild() {
    try (io.opentelemetry.context.Scope rootScope = root.makeCurrent();
        io.opentelemetry.context.Scope childScope = child.makeCurrent()) {
      return Context.current();
    }
  }

  /** Does the same on two threads at once. */
  @Benchmark
  @Threads(2)
  public Context rootAndChildOnTwoThreads() {
    return rootAndChild();
  }

  /** A thread on which the root is current. */
  @State(Scope.Thread)
  public static class InRoot {
    private io.opentelemetry.context.Scope scope;

    @Setup
    public void attach(ScopeBenchmark benchmark) {
      scope = benchmark.root.makeCurrent();
    }

    @TearDown
    public void detach() {
      scope.close();
    }
  }

  /** Two switches between contexts of the same span. */
  @Benchmark
  public Context sameSpan(InRoot inRoot) {
    try (io.opentelemetry.context.Scope scope = rootWithValue.makeCurrent()) {
      return Context.current();
    }
  }

  /** Two switches within a trace. */
  @Benchmark
  public Context childInRoot(InRoot inRoot) {
    try (io.opentelemetry.context.Scope scope = child.makeCurrent()) {
      return Context.current();
    }
  }
}
