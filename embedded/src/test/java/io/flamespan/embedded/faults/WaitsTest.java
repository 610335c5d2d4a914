/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: where waits are sampled, those of threads that work for no span are not ended early. */
class WaitsTest {
  @TempDir private Path directory;

  @Test
  void waitsOfNativeCode_withoutSpan_areNotInterrupted() throws Exception {
    Path library = CompiledLibrary.of("waits.c", directory);
    ProfiledJvm jvm = new ProfiledJvm(directory);
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.events=cpu,wall");
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.period=10ms");

    String output = jvm.run(WaitsApp.class, library.toString());

    assertThat(output)
        .contains("without Java: 0\n", "without a span: 0\n", "sampled: true")
        .doesNotContain("sampled of virtual thread: false");
    assertThat(ProfiledJvm.warnings(output)).isEmpty();
  }
}
