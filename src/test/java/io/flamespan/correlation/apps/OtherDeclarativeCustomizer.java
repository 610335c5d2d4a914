/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.apps;

import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizerProvider;
import java.util.Collections;

/** Another library that customizes an SDK configured by a file. Used in a separate JVM. */
public final class OtherDeclarativeCustomizer
    implements DeclarativeConfigurationCustomizerProvider {
  /** The system property that makes the list of processors unmodifiable. */
  public static final String READ_ONLY = "test.read-only";

  @Override
  public void customize(DeclarativeConfigurationCustomizer sdk) {
    sdk.addSpanExporterCustomizer(
        OtlpHttpSpanExporter.class,
        (exporter, properties) -> {
          System.out.println("exporter customized");
          return exporter;
        });
    sdk.addModelCustomizer(
        model -> {
          if (Boolean.getBoolean(READ_ONLY)) {
            model
                .getTracerProvider()
                .withProcessors(
                    Collections.unmodifiableList(model.getTracerProvider().getProcessors()));
          }
          return model;
        });
  }
}
