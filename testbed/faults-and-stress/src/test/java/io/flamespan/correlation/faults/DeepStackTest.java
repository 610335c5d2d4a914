/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.testing.ChildJvm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: a span that ends at the end of the stack holds up neither other spans nor a flush. */
class DeepStackTest {
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1"})
  void spans_endedAtTheEndOfTheStack_doNotHoldUpOthers(String compiler) {
    ChildJvm.Result result =
        ChildJvm.exporting("logging")
            .jvmArgument(compiler)
            .jvmArgument("-Xss512k")
            .setting("enabled", "true")
            .run(DeepStackApp.class)
            .succeeded();
    assertThat(result.output())
        .contains("errors: many", "flushed: true", "usual spans: 1000", "twice: 0");
  }
}
