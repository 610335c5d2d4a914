/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.declarative;

import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.otelprofiling.correlation.internal.log.Trouble;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.logging.Logger;

/**
 * Reads the resource of an existing SDK. Every span contains it, but no public method returns it.
 */
public final class SdkResource {
  private static final Logger logger = Logger.getLogger(SdkResource.class.getName());

  private SdkResource() {}

  /** Returns the resource or, after a warning, an empty one if the SDK is different. */
  public static Resource of(SdkTracerProvider tracers) {
    try {
      Field state = SdkTracerProvider.class.getDeclaredField("sharedState");
      state.setAccessible(true);
      Method getter = state.getType().getDeclaredMethod("getResource");
      getter.setAccessible(true);
      return (Resource) getter.invoke(state.get(tracers));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      Trouble.warn(logger, "Profilers will not see the name of this service", e);
      return Resource.empty();
    }
  }
}
