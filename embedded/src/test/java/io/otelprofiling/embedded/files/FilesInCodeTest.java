/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.sdk.resources.Resource;
import io.otelprofiling.correlation.ProfilingCorrelation;
import io.otelprofiling.correlation.internal.log.Trouble;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A setting that has no effect is reported. */
class FilesInCodeTest {
  private static final String DIRECTORY =
      "elastic.otel.universal.profiling.integration.embedded.profiler.directory";

  @TempDir private Path temporary;

  @Test
  void directory_ofAnSdkInCode_isReportedAndNothingIsWritten() {
    Trouble warning;
    try (ProfilingCorrelation plugin =
        ProfilingCorrelation.builder(Resource.getDefault())
            .setEmbeddedProfilerMode(ProfilingCorrelation.Mode.ENABLED)
            .set(DIRECTORY, temporary.toString())
            .start()) {
      await().atMost(1, TimeUnit.MINUTES).until(() -> Trouble.last() != null);
      warning = Trouble.last();
    }

    assertThat(warning.message())
        .startsWith("Spans and profiles are not written to " + temporary)
        .endsWith("remove " + DIRECTORY + ", or configure the SDK by properties");
    assertThat(temporary).isEmptyDirectory();
  }
}
