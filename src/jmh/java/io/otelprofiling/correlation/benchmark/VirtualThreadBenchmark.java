/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.otelprofiling.correlation.testing.CorrelatedSdk;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Context switches on a virtual thread, on Java 21 and later. */
@Fork(value = 2, jvmArgsAppend = "-Djmh.executor=VIRTUAL")
public class VirtualThreadBenchmark extends AppBenchmark {
  private Context root;
  private Context child;
  private Context otherTrace;

  /** The mode says whether virtual threads show their trace. */
  @Override
  BenchmarkedApp startApp() {
    return mode.equals(BenchmarkedApp.ABSENT)
        ? BenchmarkedApp.start(mode)
        : BenchmarkedApp.start("true", CorrelatedSdk.PREFIX + "virtual.threads.enabled", mode);
  }

  @Override
  void prepare() {
    Span rootSpan = app.tracer().spanBuilder("root").startSpan();
    root = Context.root().with(rootSpan);
    child = root.with(app.tracer().spanBuilder("child").setParent(root).startSpan());
    otherTrace = Context.root().with(app.tracer().spanBuilder("other").setNoParent().startSpan());
  }

  /** A thread on which the root is current. */
  @State(Scope.Thread)
  public static class InRoot {
    private io.opentelemetry.context.Scope scope;

    @Setup
    public void attach(VirtualThreadBenchmark benchmark) {
      scope = benchmark.root.makeCurrent();
    }

    @TearDown
    public void detach() {
      scope.close();
    }
  }

  /** Two switches within a trace. */
  @Benchmark
  public Context childInRootOnVirtualThread(InRoot inRoot) {
    try (io.opentelemetry.context.Scope scope = child.makeCurrent()) {
      return Context.current();
    }
  }

  /** Two direct switches between two traces. */
  @Benchmark
  public Context otherTraceInRootOnVirtualThread(InRoot inRoot) {
    try (io.opentelemetry.context.Scope scope = otherTrace.makeCurrent()) {
      return Context.current();
    }
  }
}
