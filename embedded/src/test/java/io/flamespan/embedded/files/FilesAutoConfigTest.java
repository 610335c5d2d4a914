/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.files;

import static io.flamespan.embedded.files.WrittenSpans.PREFIX;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.internal.log.Trouble;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An autoconfigured SDK writes its spans and profiles if a directory is set, and only then. */
class FilesAutoConfigTest {
  @TempDir private Path temporary;

  @Test
  void directory_notSet_writesNothing() throws IOException {
    try (OpenTelemetrySdk sdk = WrittenSpans.sdk(Map.of(PREFIX + "profiler", "auto"))) {
      sdk.getTracer("test").spanBuilder("span").startSpan().end();
    }

    assertThat(written().messages()).isEmpty();
  }

  @Test
  void directory_withoutProfiler_isReported() throws IOException {
    try (OpenTelemetrySdk sdk =
        WrittenSpans.sdk(Map.of(PREFIX + "profiler.directory", temporary.toString()))) {
      sdk.getTracer("test").spanBuilder("span").startSpan().end();
    }

    assertThat(written().messages()).isEmpty();
    Trouble warning = Trouble.last();
    assertThat(warning).isNotNull();
    assertThat(warning.message())
        .isEqualTo(
            "Spans and profiles are not written to %s, unless %sprofiler is on or auto",
            temporary, PREFIX);
  }

  @Test
  void directory_ofAnAutoconfiguredSdk_hasSpansAndTheirSamples() throws Exception {
    written()
        .assertOf(
            () ->
                WrittenSpans.sdk(
                    Map.of(
                        PREFIX + "profiler", "on",
                        PREFIX + "profiler.period", "1ms",
                        PREFIX + "profiler.directory", temporary.toString())));
  }

  private WrittenSpans written() {
    return new WrittenSpans(temporary);
  }
}
