/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import io.flamespan.correlation.scenarios.SampledTraces;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Promise: a second SDK in the process, without this plug-in, shares the threads and their
 * contexts. While its spans are current, a thread shows either them with their own local root or no
 * trace. Our local roots are not exported with their samples.
 */
class SpansOfAnotherSdkTest {
  private final SampledTraces traces = new SampledTraces(CorrelatedSdk.start());
  private final OpenTelemetrySdk other = // the SDK records nothing without a processor
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(new RecordingSpanExporter()))
                  .build())
          .build();
  private final Tracer theirs = other.getTracer("other");

  @AfterEach
  void stop() {
    other.close();
    traces.close();
  }

  private Span theirChild(Span parent) {
    return SampledTraces.start(theirs, Context.root().with(parent));
  }

  /** Makes the span current and samples it. The sample belongs to no span of ours. */
  private void makeCurrent(Span span, Span localRoot) {
    try (Scope scope = span.makeCurrent()) {
      SampledTraces.assertShowsItOrNoTrace(span, localRoot);
      traces.sample();
    }
  }

  @Test
  void foreignTrace_withinOneOfOurs_getsNoneOfItsSamples() {
    Span ours = traces.root(Context.root());
    Span theirRoot = SampledTraces.start(theirs, Context.root());
    Span theirChild = theirChild(theirRoot);
    try (Scope scope = ours.makeCurrent()) {
      for (Span span : List.of(theirChild, theirRoot, theirChild, theirRoot)) {
        makeCurrent(span, theirRoot);
        traces.sampleShown(ours, ours);
      }
    }
    ours.end();
    traces.assertExportedWithOwnSamples();
  }

  @Test
  void foreignSpan_belowOneOfOurs_belongsToOurRoot() {
    Span ours = traces.root(Context.root());
    Span child = traces.child(ours);
    Span theirChild = theirChild(child);
    for (Span span : List.of(theirChild, child, ours, theirChild)) {
      traces.sample(span, ours);
    }
    Span grandchild = traces.child(theirChild);
    traces.sample(grandchild, ours);
    List.of(grandchild, theirChild, child, ours).forEach(Span::end);
    traces.assertExportedWithOwnSamples();
    traces.assertExportedWithoutSamples(List.of(child, grandchild));
  }

  @Test
  void ourSpans_belowForeignRoot_belongToThatRoot() {
    Span theirRoot = SampledTraces.start(theirs, Context.root());
    Span theirChild = theirChild(theirRoot);
    Span ofChild = traces.child(theirChild);
    Span ofRoot = traces.child(theirRoot);
    for (Span span : List.of(ofChild, ofRoot, theirChild, theirRoot, ofChild, ofRoot)) {
      makeCurrent(span, theirRoot);
    }
    List<Span> ours = List.of(ofChild, ofRoot);
    ours.forEach(Span::end);
    traces.assertExportedWithoutSamples(ours);
  }

  @Test
  void roots_sharingRemoteParent_areToldApart() {
    Context request = SampledTraces.received();
    Span ours = traces.root(request);
    Span first = SampledTraces.start(theirs, request);
    Span second = SampledTraces.start(theirs, request);

    traces.sample(ours, ours);
    try (Scope scope = first.makeCurrent()) {
      SampledTraces.assertShowsItOrNoTrace(first, first);
      makeCurrent(second, second);
      makeCurrent(theirChild(second), second);
      SampledTraces.assertShowsItOrNoTrace(first, first);
      traces.sample(ours, ours);
    }
    ours.end();
    traces.assertExportedWithOwnSamples();
  }
}
