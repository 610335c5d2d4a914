/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.workload;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/** The server span of a request: that of the agent or the framework, or else a new one. */
public final class ServerSpan {
  private final Context context;
  private final Span own;

  private ServerSpan(Context context, Span own) {
    this.context = context;
    this.own = own;
  }

  /** Begins a span in the trace of the client, unless one is current. */
  public static ServerSpan of(Tracer tracer, String traceParent) {
    Context current = Context.current();
    if (Span.fromContext(current).getSpanContext().isValid()) {
      return new ServerSpan(current, Span.getInvalid());
    }
    SpanContext client =
        SpanContext.createFromRemoteParent(
            Workload.traceId(traceParent),
            traceParent.split("-")[2],
            TraceFlags.getSampled(),
            TraceState.getDefault());
    Context parent = Context.root().with(Span.wrap(client));
    Span own = tracer.spanBuilder("GET").setParent(parent).setSpanKind(SpanKind.SERVER).startSpan();
    return new ServerSpan(parent.with(own), own);
  }

  /** Returns the context with the span. */
  public Context context() {
    return context;
  }

  /** Ends the span if this object began it. */
  public void end() {
    own.end();
  }
}
