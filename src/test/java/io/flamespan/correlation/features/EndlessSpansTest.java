/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.EndlessSpansApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Promise: local root spans whose end the plug-in does not see take a bounded share of the heap.
 */
class EndlessSpansTest {
  private static final int SPANS = 400_000; // 192 bytes each are more than the heap

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "auto, never ended",
    "true, never ended",
    "auto, processor throws",
    "true, processor throws"
  })
  void smallHeap_manySpans_suffices(String mode, String reason) {
    ChildJvm.Result result =
        ChildJvm.exporting("none")
            .jvmArgument("-Xmx64m")
            .setting("enabled", mode)
            .property(CorrelatedSdk.PREFIX + "socket.dir", directory.toString())
            .run(EndlessSpansApp.class, reason, "" + SPANS);

    assertThat(result.output()).contains("all started").doesNotContain("OutOfMemoryError");
    assertThat(result.status()).isZero();
  }
}
