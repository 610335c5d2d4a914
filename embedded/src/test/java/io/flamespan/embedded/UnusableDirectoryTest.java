/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flamespan.correlation.internal.embedded.EmbeddedProfilerException;
import org.junit.jupiter.api.Test;

class UnusableDirectoryTest {
  @Test
  void directory_unusable_isNamedWithTheRemedy() {
    System.setProperty("one.profiler.extractPath", "/proc/self");
    EmbeddedAsyncProfiler profiler = new EmbeddedAsyncProfiler();

    assertThatThrownBy(
            () -> profiler.start(Samples.settings(1_000_000), (work, high, low, count) -> {}))
        .isInstanceOf(EmbeddedProfilerException.class)
        .hasMessageContaining("one.profiler.extractPath")
        .hasMessageContaining("from /proc/self");
    profiler.collect();
    profiler.stop();

    assertThat(profiler.ofCurrentThread(() -> null, () -> null)).isNull();
    assertThat(profiler.counts().samples).isZero();
  }
}
