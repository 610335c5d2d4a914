/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import one.profiler.AsyncProfiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: the embedded profiler runs beside other profilers, processes that are started, and one
 * SDK after the other.
 */
class NeighboursTest {
  @TempDir private Path directory;

  private void assertUndisturbed(ProfiledJvm jvm) throws Exception {
    String output = jvm.run(NeighboursApp.class);

    assertThat(output)
        .contains("first: 0 lost, samples: true", "second: 0 lost, samples: true")
        .doesNotContain("\tat ");
    assertThat(ProfiledJvm.warnings(output)).isEmpty();
  }

  @Test
  void sdks_oneAfterTheOther_bothHaveSamples() throws Exception {
    assertUndisturbed(new ProfiledJvm(directory));
  }

  @Test
  void flightRecording_inParallel_isComplete() throws Exception {
    Path recording = directory.resolve("recording.jfr");
    ProfiledJvm jvm = new ProfiledJvm(directory);
    jvm.options.add("-XX:StartFlightRecording=settings=profile,filename=" + recording);

    assertUndisturbed(jvm);
    assertThat(recording).isNotEmptyFile();
  }

  @Test
  void otherAsyncProfiler_attached_recordsToo() throws Exception {
    Path library = directory.resolve("libasyncProfiler.so");
    String platform = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
    try (InputStream packed =
        AsyncProfiler.class.getResourceAsStream("/linux-" + platform + "/libasyncProfiler.so")) {
      Files.write(library, packed.readAllBytes());
    }
    Path recording = directory.resolve("other.jfr");
    ProfiledJvm jvm = new ProfiledJvm(directory);
    jvm.options.add("-agentpath:" + library + "=start,event=itimer,jfr,file=" + recording);

    assertUndisturbed(jvm);
    assertThat(recording).isNotEmptyFile();
  }
}
