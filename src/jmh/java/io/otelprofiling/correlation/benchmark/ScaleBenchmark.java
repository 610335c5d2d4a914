/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/** The cost of a trace while many others are alive. */
@Fork(1)
public class ScaleBenchmark extends AppBenchmark {
  @Param({"10", "1000", "100000"})
  public int liveRoots;

  private final List<Span> live = new ArrayList<>();

  @Override
  void prepare() {
    for (int i = 0; i < liveRoots; i++) {
      live.add(app.tracer().spanBuilder("live").startSpan());
    }
  }

  @Benchmark
  public Span currentRootAmongOthers() {
    Span root = app.tracer().spanBuilder("root").startSpan();
    root.makeCurrent().close();
    root.end();
    return root;
  }
}
