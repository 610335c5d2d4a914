/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.NotInEmulation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NotInEmulation("the emulator shows its own mappings")
class JvmCountersTest {
  private static final Pattern LOGGED = Pattern.compile("Safepoint \".*Total: +(\\d+) ns");
  private static final int ROUNDS = 5_000;

  /** Prints the counters of its JVM, or why there are none, after some stops. */
  static final class Main {
    public static void main(String[] arguments) {
      JvmCounters counters = JvmCounters.open(why -> System.out.println("none: " + why));
      for (int i = 0; i < 20; i++) {
        System.gc(); // returns when its stop has been counted
      }
      if (counters != null) {
        System.out.println("stopped=" + counters.stoppedNanos());
      }
    }

    /** The JVM has not all of its counters yet while Java agents start. */
    public static void premain(String unused) {
      main(new String[0]);
    }

    private Main() {}
  }

  @Test
  void counters_ofThisJvm_areThoseThatTheToolOfTheJdkReads() throws IOException {
    JvmCounters counters = JvmCounters.open(AssertionError::new);
    System.gc();
    assertThat(counters).isNotNull();

    long stoppedBefore = counters.stoppedNanos();
    long reachingBefore = counters.reachingNanos();
    long runningBefore = counters.runningNanos();
    String told = jcmd();

    long reaching = number(told, "sun.rt.safepointSyncTime");
    assertThat(number(told, "sun.rt.safepointTime") + reaching)
        .isBetween(stoppedBefore, counters.stoppedNanos())
        .isPositive();
    assertThat(reaching).isBetween(reachingBefore, counters.reachingNanos()).isPositive();
    assertThat(number(told, "sun.rt.applicationTime"))
        .isBetween(runningBefore, counters.runningNanos())
        .isPositive();
    assertThat(number(told, "sun.os.hrt.frequency")).isEqualTo(1_000_000_000);
  }

  private static String jcmd() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(ProcessHandle.current().pid()),
                "PerfCounter.print")
            .redirectErrorStream(true)
            .start();
    return new String(process.getInputStream().readAllBytes());
  }

  private static long number(String told, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + "=(\\d+)$").matcher(told);
    assertThat(line.find()).as(name + " in " + told).isTrue();
    return Long.parseLong(line.group(1));
  }

  @Test
  void stoppedNanos_afterStops_isWhatTheJvmLogs() {
    String output =
        new ChildJvm()
            .jvmArgument("-Xlog:safepoint:stdout")
            .run(Main.class)
            .succeeded()
            .output()
            .replaceAll("(?s)(stopped=\\d+\n).*", "$1");

    long logged =
        LOGGED.matcher(output).results().mapToLong(line -> Long.parseLong(line.group(1))).sum();
    assertThat(logged).isPositive();
    assertThat((double) number(output, "stopped")).isCloseTo(logged, within(0.01 * logged));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-XX:-UsePerfData", "-XX:+PerfDisableSharedMem"})
  void open_inAJvmThatKeepsItsCounters_saysWhyNot(String option) {
    String output = new ChildJvm().jvmArgument(option).run(Main.class).succeeded().output();

    assertThat(output.lines())
        .containsExactly(
            "none: the JVM does not share its counters: it was started with -XX:-UsePerfData or"
                + " -XX:+PerfDisableSharedMem, or has no room for them in /tmp");
  }

  @Test
  void open_whileAJavaAgentStarts_readsTheSame(@TempDir Path directory) throws IOException {
    Path agent = directory.resolve("agent.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", Main.class.getName());
    new JarOutputStream(Files.newOutputStream(agent), manifest).close();

    String output =
        new ChildJvm().jvmArgument("-javaagent:" + agent).run(Main.class).succeeded().output();

    assertThat(output.lines()).hasSize(2).allMatch(line -> line.startsWith("stopped="));
  }

  @Test
  void content_thatIsDamaged_isRefusedOrRead() throws IOException {
    byte[] whole = content();
    Random random = new Random(20261129);
    for (int i = 0; i < ROUNDS; i++) {
      ByteBuffer damaged = ByteBuffer.wrap(whole.clone(), 0, random.nextInt(whole.length + 1));
      for (int bytes = random.nextInt(4); bytes > 0; bytes--) {
        int length = random.nextBoolean() ? 64 : whole.length; // the first ones matter most
        damaged.array()[random.nextInt(length)] = (byte) random.nextInt();
      }
      try {
        JvmCounters counters = new JvmCounters(damaged);
        long unused = counters.stoppedNanos() + counters.reachingNanos() + counters.runningNanos();
      } catch (IOException e) {
        assertThat(e).hasMessageMatching("(?s).*(it|its|sun|java)[ .].+");
      }
    }
  }

  @Test
  void content_ofAnotherKind_isRefused() {
    assertThatIOException()
        .isThrownBy(() -> new JvmCounters(ByteBuffer.allocate(64)))
        .withMessage("its first bytes are not those of HotSpot");
    assertThatIOException()
        .isThrownBy(() -> new JvmCounters(ByteBuffer.allocate(31)))
        .withMessage("it ends before byte 0 + 32");
  }

  private static byte[] content() throws IOException {
    return Files.readAllBytes(
        Path.of(
            "/tmp/hsperfdata_" + System.getProperty("user.name"),
            String.valueOf(ProcessHandle.current().pid())));
  }
}
