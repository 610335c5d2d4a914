/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.declarative;

import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The resource of an SDK that is there. It is in every span, but nothing public tells it. */
public final class SdkResource {
  private static final Logger logger = Logger.getLogger(SdkResource.class.getName());

  private SdkResource() {}

  /** Empty, after a warning, if the SDK is different. */
  public static Resource of(SdkTracerProvider tracers) {
    try {
      Field state = SdkTracerProvider.class.getDeclaredField("sharedState");
      state.setAccessible(true);
      Method getter = state.getType().getDeclaredMethod("getResource");
      getter.setAccessible(true);
      return (Resource) getter.invoke(state.get(tracers));
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      logger.log(Level.WARNING, "Profilers will not learn the name of this service", e);
      return Resource.empty();
    }
  }
}
