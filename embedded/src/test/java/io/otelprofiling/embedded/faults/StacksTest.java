/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: beside others that interrupt the same threads by signals, at most one stack of a hundred
 * is broken. Those are counted, and said if they are more.
 */
class StacksTest {
  private static final Pattern RESULT =
      Pattern.compile("samples: (\\d+), broken: (\\d+)\ncounted: (\\d+)\n");

  @TempDir private Path directory;
  private ProfiledJvm jvm;
  private String output;
  private long samples;
  private long broken;
  private long counted;

  @BeforeEach
  void prepare() {
    jvm = new ProfiledJvm(directory);
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.period=10ms");
  }

  private void run(Neighbour neighbour) throws Exception {
    output = jvm.run(StacksApp.class, neighbour.name());
    Matcher result = RESULT.matcher(output);
    assertThat(result.find()).as(output).isTrue();
    samples = Long.parseLong(result.group(1));
    broken = Long.parseLong(result.group(2));
    counted = Long.parseLong(result.group(3));
    assertThat(samples).isGreaterThan(500);
    assertThat(counted).as(output).isEqualTo(broken);
  }

  private void assertMostAreRight() {
    assertThat(broken).as(output).isLessThanOrEqualTo(samples / 100);
    assertThat(ProfiledJvm.warnings(output)).isEmpty();
  }

  @Test
  void stacks_besideNobody_areRight() throws Exception {
    run(Neighbour.NONE);

    assertMostAreRight();
  }

  @Test
  void stacks_besideAFlightRecording_areRight() throws Exception {
    jvm.options.add(
        "-XX:StartFlightRecording=settings=profile,filename=" + directory.resolve("recording.jfr"));

    run(Neighbour.NONE);

    assertMostAreRight();
  }

  @Test
  void stacks_besideAnotherAsyncProfiler_areRight() throws Exception {
    run(Neighbour.ASYNC_PROFILER);

    assertMostAreRight();
  }

  @Test
  void stacks_besideSignalsOfNativeCode_areRight() throws Exception {
    preload("-DBURN=0");

    run(Neighbour.NONE);

    assertMostAreRight();
  }

  @Test
  void stacks_ofNativeCodeThatHandlesSignalsForLong_areCountedAndSaid() throws Exception {
    preload("-DBURN=1000");

    run(Neighbour.NONE);

    assertThat(broken).as(output).isGreaterThan(samples / 50);
    assertThat(ProfiledJvm.warnings(output))
        .singleElement()
        .asString()
        .containsPattern("[0-9]+ of [0-9]+ stacks of spans are broken: they end in .*signals.*");
  }

  private void preload(String options) throws Exception {
    Path source = directory.resolve("signals.c");
    try (InputStream program = StacksTest.class.getResourceAsStream("/signals.c")) {
      Files.write(source, program.readAllBytes());
    }
    Path library = directory.resolve("libsignals.so");
    String gcc = "gcc " + options + " -shared -fPIC -pthread -o " + library + " " + source;
    assumeTrue(new ProcessBuilder(gcc.split(" ")).start().waitFor() == 0, "gcc does not compile");
    jvm.under.add("env");
    jvm.under.add("LD_PRELOAD=" + library);
  }
}
