/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class SupportedSdkTest {
  @ParameterizedTest
  @ValueSource(strings = {"1.41.0", "1.9.1", "1.32.0-aws-SNAPSHOT", "1.41"})
  void version_older_isTooOld(String version) {
    assertThat(SupportedSdk.isTooOld(version)).isTrue();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"1.42.0", "1.67.0", "1.420.0", "2.0.0", "1.43.0-alpha", "", "unknown"})
  void version_newerOrUnknown_isTried(String version) {
    assertThat(SupportedSdk.isTooOld(version)).isFalse();
  }
}
