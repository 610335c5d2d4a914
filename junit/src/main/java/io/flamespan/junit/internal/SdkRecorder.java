/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.junit.internal;

import io.flamespan.correlation.ProfilingCorrelation;
import io.flamespan.embedded.files.RecordedProcess;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** An SDK with the plug-in and the embedded profiler, which writes files. Thread-safe. */
public final class SdkRecorder implements TestRecorder {
  private static final String PROFILER = "flamespan.embedded.profiler";
  private static final long MAX_START_SECONDS = 30;
  private static final long MAX_END_MILLIS = 10_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final SdkTracerProvider provider;
  private final Tracer tracer;
  private final boolean isProfiling;

  /** Starts the SDK, and waits until the profiler runs or cannot. */
  public SdkRecorder(String directory) {
    Resource resource =
        Resource.getDefault()
            .merge(
                Resource.builder()
                    // Runs in other directories are of the same service.
                    .put("service.name", "tests")
                    .put("service.instance.id", id())
                    .build());
    ProfilingCorrelation plugin =
        ProfilingCorrelation.builder(resource)
            .embeddedProfilerOnly()
            .setMode(ProfilingCorrelation.Mode.AUTO)
            .set(PROFILER, "on")
            .set(PROFILER + ".directory", directory)
            .set(PROFILER + ".otlp.endpoint", "")
            .set("otel.profiles.exporter", "none")
            .set("flamespan.mbean.enabled", "false")
            .start();
    provider =
        plugin
            .install(
                SdkTracerProvider.builder()
                    .setResource(resource)
                    .setSampler(ProfilingCorrelation.correlate(Sampler.alwaysOn())))
            .build();
    tracer = provider.get("io.flamespan.junit");
    isProfiling = plugin.awaitEmbeddedProfiler(MAX_START_SECONDS, TimeUnit.SECONDS);
  }

  /** A random one, without the many classes that a secure one needs. */
  private static String id() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // leave closes it
  public Recorded begin(String name, Map<String, String> attributes) {
    SpanBuilder builder = tracer.spanBuilder(name).setNoParent();
    attributes.forEach(builder::setAttribute);
    Span span = builder.startSpan();
    return new CurrentSpan(span, Context.root().with(span).makeCurrent());
  }

  @Override
  public boolean isProfiling() {
    return isProfiling;
  }

  @Override
  public boolean flush(long millis) {
    CompletableResultCode unused = provider.forceFlush().join(millis, TimeUnit.MILLISECONDS);
    return RecordedProcess.isInFiles();
  }

  @Override
  public void close() {
    // A profiler that a busy machine does not stop in time gives samples no span.
    boolean unused = flush(MAX_END_MILLIS);
    CompletableResultCode unusedToo =
        provider.shutdown().join(MAX_END_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static final class CurrentSpan implements Recorded {
    private final Span span;
    private final Scope scope;

    CurrentSpan(Span span, Scope scope) {
      this.span = span;
      this.scope = scope;
    }

    @Override
    public void leave() {
      scope.close();
    }

    @Override
    public void end(Map<String, String> attributes, boolean hasFailed, long cpuNanos) {
      attributes.forEach(span::setAttribute);
      if (cpuNanos >= 0) {
        span.setAttribute("thread.cpu.time", cpuNanos / NANOS_PER_SECOND);
      }
      if (hasFailed) {
        span.setStatus(StatusCode.ERROR);
      }
      span.end();
    }
  }
}
