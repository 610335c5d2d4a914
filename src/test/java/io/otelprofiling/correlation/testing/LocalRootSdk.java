/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.testing;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.otelprofiling.correlation.internal.localroot.LocalRootSpans;
import io.otelprofiling.correlation.internal.runtime.LocalRootSampler;
import io.otelprofiling.correlation.internal.runtime.LocalRootTracker;

/** SDKs that enter their local root spans into a table, without the rest of the plug-in. */
public final class LocalRootSdk {
  /** Returns an SDK with these processors in front of the one that enters the spans. */
  public static SdkTracerProviderBuilder builder(
      LocalRootSpans localRoots, Sampler sampler, SpanProcessor... processors) {
    SdkTracerProviderBuilder builder =
        SdkTracerProvider.builder().setSampler(new LocalRootSampler(sampler, () -> true));
    for (SpanProcessor processor : processors) {
      builder.addSpanProcessor(processor);
    }
    return builder.addSpanProcessor(tracker(localRoots));
  }

  public static LocalRootTracker tracker(LocalRootSpans localRoots) {
    return new LocalRootTracker(
        localRoots, null, () -> null, () -> {}, CompletableResultCode::ofSuccess);
  }

  private LocalRootSdk() {}
}
