/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: the embedded profiler runs beside a JFR recording, processes that are started, and one
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
  void sdks_whoseProfilerStopsTooLate_haveNoSamplesOfOthers() throws Exception {
    ProfiledJvm jvm = new ProfiledJvm(directory);
    jvm.options.add("-XX:CompileCommand=quiet");
    jvm.options.add("-XX:CompileCommand=dontinline,*RedeployApp::endpoint*");

    String output = jvm.run(RedeployApp.class);

    assertThat(output).containsPattern("right: [1-9][0-9]*, wrong: 0");
    assertThat(ProfiledJvm.warnings(output)).isEmpty();
  }

  @Test
  void flightRecording_inParallel_isComplete() throws Exception {
    Path recording = directory.resolve("recording.jfr");
    ProfiledJvm jvm = new ProfiledJvm(directory);
    jvm.options.add("-XX:StartFlightRecording=settings=profile,filename=" + recording);

    assertUndisturbed(jvm);
    assertThat(recording).isNotEmptyFile();
  }
}
