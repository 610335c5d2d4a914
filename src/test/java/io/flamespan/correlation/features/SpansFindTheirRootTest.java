/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.localroot.LocalRootTraceState;
import io.flamespan.correlation.scenarios.SampledTraces;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.ShownThreadContext;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Promise: a span finds its local root through any object with which a thread shows the span. */
class SpansFindTheirRootTest {
  @AutoClose private SampledTraces traces = new SampledTraces(CorrelatedSdk.start());

  private void restartWith(Sampler sampler) {
    traces.close();
    traces = new SampledTraces(CorrelatedSdk.startWith(sampler));
  }

  @Test
  void wrappedContext_ofALocalSpan_isShownLikeTheSpan() {
    Span root = traces.root(Context.root());
    Span child = traces.child(root);
    for (Span span : List.of(child, root)) {
      Span wrapped = Span.wrap(span.getSpanContext());
      traces.sample(wrapped, root);
      traces.sample(span, root);
      try (Scope scope = wrapped.makeCurrent()) {
        assertThat(ShownThreadContext.ofCurrentCarrier().shows(span)).isTrue();
        Span below = traces.child(Span.current());
        traces.sample(below, root);
        below.end();
        traces.sampleShown(wrapped, root);
      }
    }
    child.end();
    root.end();
    traces.assertExportedWithOwnSamples();
  }

  @Test
  void root_belowARemoteContextMadeInTheProcess_isItsOwnRoot() {
    Span sender = traces.root(Context.root());
    Span child = traces.child(sender);
    SpanContext sent = child.getSpanContext();
    SpanContext remote = SampledTraces.asRemote(sent);
    Span receiver = traces.root(Context.root().with(Span.wrap(remote)));
    Span ofReceiver = traces.child(receiver);
    assertThat(LocalRootTraceState.rootOf(receiver.getSpanContext()))
        .isNotNull()
        .isSameAs(LocalRootTraceState.rootOf(ofReceiver.getSpanContext()))
        .isNotSameAs(LocalRootTraceState.rootOf(sent));

    traces.sample(child, sender);
    traces.sample(ofReceiver, receiver);
    assertThat(traces.sample(Span.wrap(remote))).isEmpty();
    traces.sample(receiver, receiver);
    List.of(child, sender, ofReceiver, receiver).forEach(Span::end);
    traces.assertExportedWithOwnSamples();
  }

  @Test
  void span_belowAContextMadeOfIds_isItsOwnRoot() {
    for (TraceFlags flags : List.of(TraceFlags.getSampled(), TraceFlags.getDefault())) {
      restartWith(Sampler.alwaysOn());
      SpanContext made =
          SpanContext.create(
              SampledTraces.TRACE_ID, "b7ad6b7169203331", flags, TraceState.getDefault());
      Context parent = Context.root().with(Span.wrap(made));
      Span first = traces.root(parent);
      Span second = traces.root(parent);
      Span child = traces.child(first);
      for (int times = 0; times < 2; times++) {
        traces.sample(child, first);
        traces.sample(first, first);
        traces.sample(second, second);
        assertThat(traces.sample(Span.wrap(made))).isEmpty();
      }
      List.of(child, first).forEach(Span::end);
      assertThat(traces.app().received(first)).as("waits").isEmpty();
      traces.sampleBefore(first);
      second.end();
      traces.assertExportedWithOwnSamples();
    }
  }
}
