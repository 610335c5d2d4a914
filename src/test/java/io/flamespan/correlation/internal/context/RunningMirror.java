/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.context;

import io.flamespan.correlation.internal.localroot.LocalRootSampler;
import io.flamespan.correlation.internal.localroot.LocalRootSpans;
import io.flamespan.correlation.testing.LoadedLibrary;
import io.flamespan.correlation.testing.PlainTracker;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import org.jspecify.annotations.Nullable;

/** A mirror that runs until it is closed, and spans whose local roots it knows. */
final class RunningMirror implements AutoCloseable {
  final ContextMirror mirror;
  private final SdkTracerProvider provider;

  RunningMirror() {
    LoadedLibrary.loadWithThreadContext();
    LocalRootSpans localRoots = new LocalRootSpans();
    mirror = new ContextMirror(span -> {});
    provider =
        SdkTracerProvider.builder()
            .setSampler(new LocalRootSampler(Sampler.alwaysOn(), () -> true))
            .addSpanProcessor(PlainTracker.of(localRoots))
            .build();
    start();
  }

  /** Restarts a stopped mirror. */
  void start() {
    start(OtelAttributes.NONE);
  }

  /**
   * Restarts a stopped mirror with these thread context attributes; null for no thread contexts.
   */
  void start(@Nullable OtelAttributes attributes) {
    mirror.start(true, attributes);
  }

  Span span(Context parent) {
    return provider.get("test").spanBuilder("span").setParent(parent).startSpan();
  }

  @Override
  public void close() {
    mirror.stop();
    provider.close();
  }
}
