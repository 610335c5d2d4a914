/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.files;

import static io.flamespan.embedded.files.WrittenSpans.PREFIX;

import io.flamespan.correlation.ProfilingCorrelation;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An SDK that is built in code writes its spans and profiles, too. */
class FilesInCodeTest {
  @TempDir private Path temporary;

  @Test
  void directory_ofAnSdkInCode_hasSpansAndTheirSamples() throws Exception {
    new WrittenSpans(temporary)
        .assertOf(
            () -> {
              ProfilingCorrelation plugin =
                  ProfilingCorrelation.builder(Resource.getDefault())
                      .set("flamespan.embedded.profiler", "on")
                      .set("flamespan.embedded.profiler.period", "1ms")
                      .set(PREFIX + "profiler.directory", temporary.toString())
                      .start();
              SdkTracerProviderBuilder tracing =
                  SdkTracerProvider.builder()
                      .setSampler(ProfilingCorrelation.correlate(Sampler.alwaysOn()));
              return OpenTelemetrySdk.builder()
                  .setTracerProvider(plugin.install(tracing).build())
                  .build();
            });
  }
}
