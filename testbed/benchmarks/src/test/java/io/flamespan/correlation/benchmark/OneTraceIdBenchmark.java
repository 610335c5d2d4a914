/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import io.flamespan.correlation.internal.protocol.HexIds;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
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

/** The cost of a request while many others share its trace id, or each has a different one. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Benchmark)
public class OneTraceIdBenchmark {
  private static final int LIVE_ROOTS = 8_000;

  @Param({BenchmarkedApp.ABSENT, "true"})
  public String mode;

  @Param({"one", "many"})
  public String traceIds;

  private final List<Span> live = new ArrayList<>();
  private BenchmarkedApp app;
  private long requests;

  @Setup
  public void start() {
    app = BenchmarkedApp.start(mode);
    for (int i = 0; i < LIVE_ROOTS; i++) {
      live.add(startRequest());
    }
  }

  @TearDown
  public void stop() {
    app.close();
  }

  /** Starts a request as a propagator does, with new strings. */
  private Span startRequest() {
    long trace = traceIds.equals("one") ? 1 : ++requests;
    SpanContext sender =
        SpanContext.createFromRemoteParent(
            HexIds.toHex(0x0af7651916cd43ddL, trace * 0x9e3779b97f4a7c15L),
            "b7ad6b7169203331",
            TraceFlags.getSampled(),
            TraceState.getDefault());
    Context received = Context.root().with(Span.wrap(sender));
    return app.tracer().spanBuilder("request").setParent(received).startSpan();
  }

  @Benchmark
  public Span requestAmongOthers() {
    Span request = startRequest();
    request.makeCurrent().close();
    request.end();
    return request;
  }
}
