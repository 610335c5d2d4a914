/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.InCodePingApp;
import io.flamespan.correlation.apps.SdkWithoutPluginApp;
import io.flamespan.correlation.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Promise: an SDK that was built in code without the plug-in is not met with silence, as far as the
 * plug-in sees its spans.
 */
class SdkWithoutPluginTest {
  private static List<String> warnings(Class<?> main, String... arguments) {
    return warnings(new ChildJvm().jvmArgument(ChildJvm.BRIEF), main, arguments);
  }

  private static List<String> warnings(ChildJvm jvm, Class<?> main, String... arguments) {
    ChildJvm.Result result = jvm.run(main, arguments).succeeded();
    assertThat(result.output()).contains("current: true");
    return result.warnings();
  }

  @Test
  void spans_ofAnSdkWithoutThePlugin_haveOneLineWithTheRemedy() {
    assertThat(warnings(SdkWithoutPluginApp.class))
        .singleElement()
        .asString()
        .contains("Flamespan is off", "built in code", "docs/sdk-in-code.md");
  }

  @Test
  void spans_whereThePluginIsSwitchedOff_haveNoLine() {
    ChildJvm off = new ChildJvm().jvmArgument(ChildJvm.BRIEF).setting("enabled", "false");

    assertThat(warnings(off, SdkWithoutPluginApp.class)).isEmpty();
  }

  @Test
  void spans_ofTheApiOnly_haveNoLine() {
    assertThat(warnings(SdkWithoutPluginApp.class, "api")).isEmpty();
  }

  @Test
  void spans_ofAnSdkWithThePlugin_haveNoLine() {
    assertThat(warnings(InCodePingApp.class)).isEmpty();
  }
}
