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
 * Promise: the embedded profiler keeps nothing of an application that is undeployed, and runs in
 * the next one.
 */
class UndeployTest {
  @TempDir private Path directory;

  @Test
  void classLoaders_ofApplicationsThatAreUndeployed_areCollected() throws Exception {
    ProfiledJvm jvm = new ProfiledJvm(directory);
    jvm.options.add(
        ProfiledJvm.PREFIX + "embedded.profiler.events=cpu,alloc,lock,wall,stops,holders");
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.directory=" + directory.resolve("d"));
    jvm.options.add(ProfiledJvm.PREFIX + "samples.metric.attributes=http.route");

    String output = jvm.run(UndeployApp.class);

    for (int i = 1; i <= UndeployApp.DEPLOYMENTS; i++) {
      assertThat(output).contains(i + " threads: false", i + " collected: true");
    }
    assertThat(output).doesNotContain("sampled: false").contains("copies of async-profiler: 1");
    assertThat(output).contains("JFR Periodic Tasks: null"); // the other one is the JVM's own
    assertThat(ProfiledJvm.warnings(output)).isEmpty();
  }
}
