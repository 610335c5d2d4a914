/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The messages are those of JDK 25; `make compatibility` makes real JVMs deny native access. */
class NativeAccessTest {

  @Test
  void deniedReason_onClassPath_namesTheOptionForAllUnnamed() {
    String reason =
        NativeAccess.deniedReason(
            new IllegalCallerException(
                "Illegal native access from an unnamed module (file:/lib/plugin.jar)"));

    assertThat(reason)
        .contains("from an unnamed module (file:/lib/plugin.jar)")
        .endsWith("Start it with --enable-native-access=ALL-UNNAMED");
  }

  @Test
  void deniedReason_onModulePath_namesTheOptionForTheModule() {
    String reason =
        NativeAccess.deniedReason(
            new IllegalCallerException(
                "Illegal native access from module some.plugin (file:/lib/plugin.jar)"));

    assertThat(reason).endsWith("Start it with --enable-native-access=some.plugin");
  }

  @Test
  void deniedReason_ofAnotherFailure_isNull() {
    assertThat(NativeAccess.deniedReason(new UnsatisfiedLinkError("cannot open shared object")))
        .isNull();
    assertThat(NativeAccess.deniedReason(new IllegalStateException(" from module x"))).isNull();
  }
}
