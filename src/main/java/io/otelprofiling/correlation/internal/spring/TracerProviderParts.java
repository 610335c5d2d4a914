/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.spring;

import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.otelprofiling.correlation.internal.runtime.LocalRootTracker;
import java.lang.reflect.Field;
import java.util.List;

/**
 * What the builder of a tracer provider has been given, by beans and by other customizers. It has
 * no public methods that return this. Replacing the beans instead would fail where the application
 * injects one of them by its class, and would miss what customizers add.
 */
final class TracerProviderParts {
  final Resource resource;
  final Sampler sampler;

  /** The builder's live list. */
  final List<SpanProcessor> processors;

  private TracerProviderParts(Resource resource, Sampler sampler, List<SpanProcessor> processors) {
    this.resource = resource;
    this.sampler = sampler;
    this.processors = processors;
  }

  /** Fails if the builder is different, before anything has been changed. */
  @SuppressWarnings("unchecked")
  static TracerProviderParts of(SdkTracerProviderBuilder builder)
      throws ReflectiveOperationException {
    return new TracerProviderParts(
        (Resource) read(builder, "resource"),
        (Sampler) read(builder, "sampler"),
        (List<SpanProcessor>) read(builder, "spanProcessors"));
  }

  private static Object read(SdkTracerProviderBuilder builder, String name)
      throws ReflectiveOperationException {
    Field field = SdkTracerProviderBuilder.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(builder);
  }

  /** Returns whether the plug-in follows the spans of this provider already. */
  boolean havePlugin() {
    return processors.stream().anyMatch(LocalRootTracker.class::isInstance);
  }
}
