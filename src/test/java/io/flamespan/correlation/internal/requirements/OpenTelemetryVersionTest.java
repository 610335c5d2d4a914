/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.requirements;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenTelemetryVersionTest {
  @ParameterizedTest
  @ValueSource(strings = {"1.41.0", "1.9.1", "1.32.0-aws-SNAPSHOT", "0.17.0", "1.41"})
  void version_older_isTooOld(String version) {
    assertThat(OpenTelemetryVersion.isTooOld(version)).isTrue();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "1.42.0",
        "1.42.1",
        "1.67.0",
        "1.420.0",
        "2.0.0",
        "1.43.0-alpha",
        "",
        "unknown",
        "1"
      })
  void version_newerOrUnknown_isTried(String version) {
    assertThat(OpenTelemetryVersion.isTooOld(version)).isFalse();
  }
}
