/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.testing.CorrelatedSdk;
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

/** Context switches on a virtual thread, on Java 21 and later. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgsAppend = "-Djmh.executor=VIRTUAL")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Benchmark)
public class VirtualThreadBenchmark {
  /** Whether virtual threads show their trace. */
  @Param({BenchmarkedApp.ABSENT, "true", "false"})
  public String mode;

  private BenchmarkedApp app;
  private Context root;
  private Context child;
  private Context otherTrace;

  @Setup
  public void start() {
    app =
        mode.equals(BenchmarkedApp.ABSENT)
            ? BenchmarkedApp.start(mode)
            : BenchmarkedApp.start("true", CorrelatedSdk.PREFIX + "virtual.threads.enabled", mode);
    Span rootSpan = app.tracer().spanBuilder("root").startSpan();
    root = Context.root().with(rootSpan);
    child = root.with(app.tracer().spanBuilder("child").setParent(root).startSpan());
    otherTrace = Context.root().with(app.tracer().spanBuilder("other").setNoParent().startSpan());
  }

  @TearDown
  public void stop() {
    app.close();
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
