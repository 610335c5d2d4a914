/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.BesideAnotherPublisherApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Promise: if another library, such as an agent, already publishes OpenTelemetry's contexts, the
 * plug-in does not add thread contexts, reports that in one line, and otherwise works as usual.
 */
class OtherPublisherTest {
  private static final String OFF = ": OpenTelemetry thread contexts are off: another library";

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "thread-contexts, has published thread contexts, auto, INFO",
    "thread-contexts, has published thread contexts, true, WARNING",
    "process-context, has published a process context, auto, INFO",
    "process-context, has published a process context, true, WARNING"
  })
  void otherPublisher_beforeTheSdk_costsOurThreadContextsOnly(
      String published, String found, String mode, String level) {
    ChildJvm.Result result =
        ChildJvm.exporting("logging")
            .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString())
            .setting("thread.context.enabled", mode)
            .run(BesideAnotherPublisherApp.class, published, directory.toString())
            .succeeded();
    assertThat(result.output())
        .containsOnlyOnce(level + OFF)
        .containsOnlyOnce("thread contexts are off")
        .contains(found, "Flamespan is on")
        .contains("in our record: true", "in our thread context: false")
        .doesNotContain("in theirs: true", "\tat ");
    assertThat(result.output().split("WARNING: ", -1)).hasSize(level.equals("WARNING") ? 2 : 1);
    assertThat(result.output().split("'ping' :", -1)).hasSize(2);
  }
}
