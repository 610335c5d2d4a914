/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    assertThat(samples).isGreaterThan(300);
    // async-profiler also gives up in stubs of the JVM, sometimes after it has found the method.
    assertThat(counted).as(output).isCloseTo(broken, within(samples / 100));
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

  @ParameterizedTest
  @ValueSource(strings = {"default", "profile"})
  void stacks_besideAFlightRecording_areRight(String settings) throws Exception {
    record("settings=" + settings);

    run(Neighbour.NONE);

    assertMostAreRight();
  }

  private void record(String options) {
    jvm.options.add(
        "-XX:StartFlightRecording=" + options + ",filename=" + directory.resolve("recording.jfr"));
  }

  /** Its signals come at the same ticks of CPU time. */
  @Test
  @EnabledForJreRange(min = JRE.JAVA_25)
  void stacks_besideAFlightRecordingOfCpuTime_areRight() throws Exception {
    record("settings=profile,jdk.CPUTimeSample#enabled=true");

    run(Neighbour.NONE);

    assertMostAreRight();
  }

  @ParameterizedTest
  @EnumSource(names = {"PYROSCOPE", "ASYNC_PROFILER"})
  void stacks_besideAnotherAsyncProfiler_areRight(Neighbour other) throws Exception {
    run(other);

    assertMostAreRight();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1000})
  void stacks_besideSignalsOfNativeCode_areRight(int micros) throws Exception {
    preload("-DBURN=" + micros);

    run(Neighbour.NONE);

    assertMostAreRight();
  }

  @Test
  void stacks_thatEndInHandlers_areCountedAndSaid() throws Exception {
    preload("-DBURN=1000", "-DUNBLOCK");

    run(Neighbour.NONE);

    assertThat(broken).as(output).isGreaterThan(samples / 50);
    assertThat(ProfiledJvm.warnings(output))
        .singleElement()
        .asString()
        .containsPattern("[0-9]+ of [0-9]+ stacks of spans are broken: they end in .*signals.*");
  }

  private void preload(String... options) throws Exception {
    jvm.under.add("env");
    jvm.under.add("LD_PRELOAD=" + CompiledLibrary.of("signals.c", directory, options));
  }
}
