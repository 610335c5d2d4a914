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
import org.openjdk.jmh.infra.Blackhole;

/**
 * {@link SpanBenchmark} under a load that keeps every CPU busy, in wall time: the plug-in's threads
 * have to wait for a CPU.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public class BusySpanBenchmark {
  @Param({BenchmarkedApp.ABSENT, "auto", "true"})
  public String mode;

  private final SpanBenchmark spans = new SpanBenchmark();
  private volatile boolean done;

  @Setup
  public void start() {
    spans.mode = mode;
    spans.start();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      Thread load = new Thread(this::keepBusy, "load");
      load.setDaemon(true);
      load.start();
    }
  }

  private void keepBusy() {
    while (!done) {
      Blackhole.consumeCPU(1000);
    }
  }

  @TearDown
  public void stop() {
    done = true;
    spans.stop();
  }

  @Benchmark
  public Span sampledRootOnBusyCpus() {
    return spans.sampledRoot();
  }

  @Benchmark
  public Span traceOnBusyCpus() {
    return spans.trace();
  }
}
