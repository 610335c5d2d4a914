/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost that the plug-in adds where one thread, such as an event loop, alternates between many
 * traces.
 */
public class TraceSwitchBenchmark extends AppBenchmark {
  private static final int TRACES = 64; // a power of two

  private final Context[] roots = new Context[TRACES];
  private final Context[] children = new Context[TRACES];
  private int turn;

  @Override
  void prepare() {
    for (int i = 0; i < TRACES; i++) {
      Span root = app.tracer().spanBuilder("root").setNoParent().startSpan();
      roots[i] = Context.root().with(root);
      Span child = app.tracer().spanBuilder("child").setParent(roots[i]).startSpan();
      children[i] = roots[i].with(child);
    }
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
