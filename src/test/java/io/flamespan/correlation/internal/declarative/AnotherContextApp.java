/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.declarative;

import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.model.SpanProcessorModel;
import io.opentelemetry.sdk.trace.SpanProcessor;

/** Creates a processor with a component loader that is not the SDK's context. */
public final class AnotherContextApp {
  private AnotherContextApp() {}

  public static void main(String[] arguments) throws ReflectiveOperationException {
    SpanProcessorModel model = new SpanProcessorModel();
    ComponentLoader loader =
        ComponentLoader.forClassLoader(AnotherContextApp.class.getClassLoader());
    new SdkComponentFactory<>(SpanProcessor.class, SpanProcessorModel.class).create(model, loader);
  }
}
