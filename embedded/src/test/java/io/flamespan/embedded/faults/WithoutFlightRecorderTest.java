/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: where the JDK has no Flight Recorder, a line says so, and all else is sampled. */
class WithoutFlightRecorderTest {
  @TempDir private Path directory;

  @Test
  void holders_onAnImageWithoutTheFlightRecorder_areNotKnown() throws Exception {
    ProfiledJvm jvm = new ProfiledJvm(directory);
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.events=cpu,stops,holders");
    jvm.options.add("--limit-modules=java.se,jdk.unsupported,jdk.management");

    String output = jvm.run(StopsApp.class, StopsApp.EXIT);

    assertThat(output)
        .contains("The embedded profiler is on: async-profiler", "stops of the JVM")
        .doesNotContain("who held monitors");
    assertThat(Set.copyOf(ProfiledJvm.warnings(output))) // at each start
        .singleElement()
        .asString()
        .contains("It is not known who holds locks", "no module jdk.jfr", "profiler.events");
  }
}
