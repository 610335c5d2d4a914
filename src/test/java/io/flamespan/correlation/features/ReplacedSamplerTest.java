/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.FakeProfiler.EXPORTED_STACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.correlation.scenarios.SampledTraces;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DecodedRecord;
import io.flamespan.correlation.testing.LogCapturer;
import io.flamespan.correlation.testing.RecordingSpanExporter;
import io.flamespan.correlation.testing.ShownRecord;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: if an application replaces the sampler that the plug-in has wrapped, local root spans
 * are still shown and get their stack traces. One warning says why spans below them show no trace,
 * and how to fix that.
 */
class ReplacedSamplerTest {
  private static final Sampler SAMPLER = Sampler.alwaysOn();

  private static CorrelatedSdk start(Sampler replacement) {
    return CorrelatedSdk.start(
        sdk ->
            sdk.addTracerProviderCustomizer(
                (provider, config) -> provider.setSampler(replacement)));
  }

  private static Span root(CorrelatedSdk app) {
    return SampledTraces.start(app.tracer(), Context.root());
  }

  @Test
  void root_withoutOurSampler_isShownAndHasItsStackTraces() {
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = start(SAMPLER)) {
      app.profiler().registration(60_000, "");
      app.flush();
      for (Context parent : new Context[] {Context.root(), SampledTraces.received()}) {
        Span root = SampledTraces.start(app.tracer(), parent);
        Span child = SampledTraces.start(app.tracer(), Context.root().with(root));
        try (Scope scope = root.makeCurrent()) {
          SampledTraces.assertShows(root, root);
          try (Scope childScope = child.makeCurrent()) {
            assertThat(ShownRecord.showsNoTrace()).isTrue();
          }
          SampledTraces.assertShows(root, root);
        }
        child.end();
        app.profiler().correlation(root, 2);
        root.end();
        app.profiler().correlation(root, 1);
        app.flush();
        assertThat(app.receivedStackTraceIds(root)).hasSize(3).containsOnly(EXPORTED_STACK);
      }
      log.hasOneWarning("the sampler of this SDK", "ProfilingCorrelation.correlate(sampler)");
    }
  }

  @Test
  void receiver_ofAStateHandedOver_showsItselfAndNobodyShowsTheSender() {
    Sampler onlyWithoutParent = Sampler.parentBased(ProfilingCorrelation.correlate(SAMPLER));
    try (LogCapturer log = new LogCapturer();
        CorrelatedSdk app = start(onlyWithoutParent)) {
      Span sender = root(app);
      Span ofSender = SampledTraces.start(app.tracer(), Context.root().with(sender));
      try (Scope scope = ofSender.makeCurrent()) {
        SampledTraces.assertShows(ofSender, sender);
      }
      SpanContext remote = SampledTraces.asRemote(sender.getSpanContext());
      Span receiver = SampledTraces.start(app.tracer(), Context.root().with(Span.wrap(remote)));
      Span ofReceiver = SampledTraces.start(app.tracer(), Context.root().with(receiver));
      try (Scope scope = sender.makeCurrent()) {
        SampledTraces.assertShows(sender, sender);
        try (Scope inner = receiver.makeCurrent()) {
          SampledTraces.assertShows(receiver, receiver);
        }
        try (Scope inner = ofReceiver.makeCurrent()) {
          assertThat(ShownRecord.showsNoTrace()).isTrue();
        }
        SampledTraces.assertShows(sender, sender);
        Span later = SampledTraces.start(app.tracer(), Context.root().with(sender));
        try (Scope inner = later.makeCurrent()) {
          SampledTraces.assertShowsItOrNoTrace(later, sender);
        }
        later.end();
      }
      List.of(ofReceiver, receiver, ofSender, sender).forEach(Span::end);
      log.hasOneWarning("the sampler of this SDK");
    }
  }

  @Test
  void sdkInCode_onlyWithoutOurSampler_warnsOnce(@TempDir Path socketDir) {
    for (boolean wrapped : new boolean[] {false, true}) {
      RecordingSpanExporter exporter = new RecordingSpanExporter();
      SdkTracerProviderBuilder builder =
          SdkTracerProvider.builder()
              .addSpanProcessor(
                  ProfilingCorrelation.correlate(SimpleSpanProcessor.create(exporter)));
      if (wrapped) {
        builder.setSampler(ProfilingCorrelation.correlate(SAMPLER));
      }
      ProfilingCorrelation correlation =
          ProfilingCorrelation.builder(Resource.empty())
              .setMode(ProfilingCorrelation.Mode.ENABLED)
              .set("flamespan.socket.dir", socketDir.toString())
              .start();
      try (LogCapturer log = new LogCapturer();
          SdkTracerProvider tracing = correlation.install(builder).build()) {
        for (int i = 0; i < 3; i++) {
          Span root = tracing.get("test").spanBuilder("root").setNoParent().startSpan();
          Span child = SampledTraces.start(tracing.get("test"), Context.root().with(root));
          try (Scope scope = root.makeCurrent()) {
            assertThat(DecodedRecord.ofCurrentThread().shows(root, root)).isTrue();
            try (Scope childScope = child.makeCurrent()) {
              assertThat(DecodedRecord.ofCurrentThread().showsNoTrace()).isEqualTo(!wrapped);
              assertThat(DecodedRecord.ofCurrentThread().shows(child, root)).isEqualTo(wrapped);
            }
          }
          child.end();
          root.end();
        }
        assertThat(log.warnings()).hasSize(wrapped ? 0 : 1);
      }
    }
  }
}
