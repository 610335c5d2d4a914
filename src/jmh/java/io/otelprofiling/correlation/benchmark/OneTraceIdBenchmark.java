/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.otelprofiling.correlation.internal.protocol.HexIds;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/** The cost of a request while many others share its trace id, or each has a different one. */
@Fork(1)
public class OneTraceIdBenchmark extends AppBenchmark {
  private static final int LIVE_ROOTS = 8_000;

  @Param({"one", "many"})
  public String traceIds;

  private final List<Span> live = new ArrayList<>();
  private long requests;

  @Override
  void prepare() {
    for (int i = 0; i < LIVE_ROOTS; i++) {
      live.add(startRequest());
    }
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
