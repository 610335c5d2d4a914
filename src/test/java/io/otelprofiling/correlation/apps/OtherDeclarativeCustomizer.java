/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.apps;

import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizerProvider;
import java.util.Collections;

/** Another library that customizes an SDK which a file configures. In a JVM of its own. */
public final class OtherDeclarativeCustomizer
    implements DeclarativeConfigurationCustomizerProvider {
  /** A system property that has the list of processors be one that cannot be changed. */
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
