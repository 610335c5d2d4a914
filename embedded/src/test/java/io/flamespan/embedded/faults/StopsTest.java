/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: samples say when and why the JVM or the kernel has stopped all threads. */
class StopsTest {
  private static final Pattern LOGGED = Pattern.compile("Safepoint \".*Total: +(\\d+) ns");
  private static final Pattern REACHING = Pattern.compile("Reaching safepoint: +(\\d+) ns");

  @TempDir private Path directory;

  private ProfiledJvm jvm() {
    ProfiledJvm jvm = new ProfiledJvm(directory);
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.events=cpu,stops");
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.period=10ms");
    jvm.options.add("-XX:TieredStopAtLevel=4"); // for loops without polls
    jvm.options.add("-Xbatch"); // or they may have some until C2 has compiled them
    return jvm;
  }

  private static long sum(Pattern line, String text) {
    return line.matcher(text).results().mapToLong(each -> Long.parseLong(each.group(1))).sum();
  }

  private static long number(String name, String output) {
    Matcher line = Pattern.compile("(?m)^" + name + "(\\d+)( ns)?$").matcher(output);
    assertThat(line.find()).as(name + " in " + output).isTrue();
    return Long.parseLong(line.group(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"G1", "Parallel", "Z"})
  void samples_ofStops_areWhatTheJvmLogs(String collector) throws Exception {
    ProfiledJvm jvm = jvm();
    jvm.options.addAll(
        List.of(
            "-XX:+Use" + collector + "GC",
            "-Xlog:safepoint:stdout",
            "-XX:-UseCountedLoopSafepoints",
            "-XX:LoopStripMiningIter=0"));

    String output = jvm.run(StopsApp.class);

    String logged = output.replaceAll("(?s).*\nbegin\n(.*)\nend\n.*", "$1");
    assertThat((double) number("sampled: ", output))
        .isCloseTo(sum(LOGGED, logged), within(0.01 * sum(LOGGED, logged)));
    assertThat((double) number("time to safepoint < safepoint < \\d+ times ", output))
        .isCloseTo(sum(REACHING, logged), within(0.01 * sum(REACHING, logged)));
    assertThat(output.split("in one call: true\n", -1)).hasSize(StopsApp.COLLECTIONS + 2);
    assertThat(output)
        .contains("in no call: 0\n", "says that it looks: true\n")
        .contains("System.gc() < garbage collection < ", "other operations < safepoint < ")
        .contains("every 10 ms of CPU time, stops of the JVM")
        .doesNotContain("wrong: ");
    if (!collector.equals("Z")) { // which has further stops within 50 ms
      assertThat(output).contains("late in its place: true\n");
    }
    assertThat(ProfiledJvm.warnings(output)).isEmpty();
  }

  @Test
  void pauses_ofConcurrentCyclesOfG1_haveNotTheCauseOfOthers() throws Exception {
    ProfiledJvm jvm = jvm();
    jvm.options.addAll(List.of("-XX:+UseG1GC", "-XX:+ExplicitGCInvokesConcurrent"));

    String output = jvm.run(StopsApp.class);

    assertThat(output)
        .contains("System.gc() < garbage coll", "G1 Remark or Cleanup < garbage coll")
        .doesNotContain("No GC < ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:-UsePerfData", "-XX:+PerfDisableSharedMem"})
  void jvm_thatKeepsItsCounters_hasAWarningAndNoSample(String option) throws Exception {
    ProfiledJvm jvm = jvm();
    jvm.options.add(option);

    String output = jvm.run(StopsApp.class);

    assertThat(output)
        .contains("sampled: 0\n", "says that it looks: false\n")
        .doesNotContain("CPU time, stops");
    assertThat(Set.copyOf(ProfiledJvm.warnings(output))) // at each start
        .singleElement()
        .asString()
        .contains("Stops of the JVM are not known", "profiler.events", option);
  }

  @Test
  void jvm_thatExitsWhileItCollects_doesNotCrash() throws Exception {
    for (String collector : List.of("G1", "Parallel", "Serial", "Z")) {
      ProfiledJvm jvm = jvm();
      jvm.options.add("-XX:+Use" + collector + "GC");

      String output = jvm.run(StopsApp.class, StopsApp.EXIT);

      assertThat(output).contains("stops of the JVM");
    }
  }

  @Test
  void stops_alone_needNoAsyncProfiler() throws Exception {
    ProfiledJvm jvm = jvm();
    jvm.options.remove(ProfiledJvm.PREFIX + "embedded.profiler.events=cpu,stops");
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.events=stops");
    jvm.options.add("-Xlog:safepoint:stdout");
    jvm.classPath =
        Stream.of(ProfiledJvm.CLASS_PATH.split(File.pathSeparator, -1))
            .filter(entry -> !Path.of(entry).getFileName().toString().matches("(async|jfr)-.*"))
            .collect(Collectors.joining(File.pathSeparator));

    String output = jvm.run(StopsApp.class);

    String logged = output.replaceAll("(?s).*\nbegin\n(.*)\nend\n.*", "$1");
    assertThat((double) number("sampled: ", output))
        .isCloseTo(sum(LOGGED, logged), within(0.01 * sum(LOGGED, logged)));
    assertThat(output)
        .contains("The embedded profiler is on: stops of the JVM", "of other kinds: 0\n");
    assertThat(ProfiledJvm.warnings(output)).isEmpty();
  }

  @Test
  void stops_aloneThatNobodyKnows_areOneLineEach() throws Exception {
    ProfiledJvm jvm = jvm();
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.events=stops");
    jvm.options.add("-XX:-UsePerfData");

    String output = jvm.run(StopsApp.class, StopsApp.START);

    List<String> warnings = ProfiledJvm.warnings(output);
    assertThat(warnings.get(0)).contains("Stops of the JVM are not known");
    if (output.contains("is on: throttling by ")) { // this test runs in a limited container
      assertThat(warnings).hasSize(1);
    } else {
      assertThat(warnings).hasSize(2);
      assertThat(warnings.get(1)).contains("is off: it has nothing to look at");
    }
  }

  @Test
  void container_thatIsThrottled_hasSamplesOfIt() throws Exception {
    Path group = limitedGroup();
    try {
      ProfiledJvm jvm = jvm();
      Path members = group.resolve("cgroup.procs");
      jvm.under.addAll(List.of("sh", "-c", "echo $$ > " + members + " && exec \"$@\"", "sh"));

      String output = jvm.run(StopsApp.class, group.resolve("cpu.stat").toString());

      assertThat(output)
          .contains("throttling by " + group, "throttled < ")
          .doesNotContain("wrong: ");
      // Counted for one CPU or more.
      assertThat(number("throttled: ", output))
          .isGreaterThan(number("counted: ", output) / Runtime.getRuntime().availableProcessors());
      assertThat(ProfiledJvm.warnings(output)).isEmpty();
    } finally {
      Files.delete(group);
    }
  }

  /** Creates a group that may use 30 % of a CPU. */
  private static Path limitedGroup() throws IOException {
    String name = "flamespan-" + ProcessHandle.current().pid();
    for (String root : List.of("/sys/fs/cgroup/cpu", "/sys/fs/cgroup")) {
      Path group = Path.of(root, name);
      try {
        Files.createDirectory(group);
        if (Files.exists(group.resolve("cpu.cfs_quota_us"))) {
          Files.writeString(group.resolve("cpu.cfs_quota_us"), "30000");
          return group;
        }
        if (Files.exists(group.resolve("cpu.max"))) {
          Files.writeString(group.resolve("cpu.max"), "30000 100000");
          return group;
        }
        Files.delete(group);
      } catch (IOException e) {
        // Not with this version, or not as this user.
      }
    }
    assumeTrue(false, "no control group with a limit of CPU time can be created");
    throw new IllegalStateException();
  }
}
