/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flamespan.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Promise: what is called likely is what the process has, and not what was replaced. */
class HintsTest {
  @TempDir Path directory;

  @Test
  void switch_inVariablesOfTheJvm_isSeen() throws IOException {
    ProcessBuilder command = new ProcessBuilder("cat");
    for (String name : new String[] {"_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"}) {
      command.environment().put(name, "-Dotel.sdk.disabled=true -Xmx1g");
      Process child = command.start();
      try {
        assertThat(Hints.switches(new TargetProcess((int) child.pid())))
            .isEqualTo("-Dotel.sdk.disabled=true");
      } finally {
        child.destroyForcibly();
        command.environment().remove(name);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "FLAMESPAN_ENABLED, False, FLAMESPAN_ENABLED=false",
    "ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_ENABLED, FALSE,"
        + " ELASTIC_OTEL_UNIVERSAL_PROFILING_INTEGRATION_ENABLED=false",
    "FLAMESPAN_ENABLED, falsely, ''"
  })
  void switch_inCapitals_isSeen(String variable, String value, String expected) throws IOException {
    ProcessBuilder command = new ProcessBuilder("cat");
    command.environment().put(variable, value);
    Process child = command.start();
    try {
      assertThat(Hints.switches(new TargetProcess((int) child.pid()))).isEqualTo(expected);
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void mount_thatHidesAnother_counts() throws IOException {
    String hide = "mount -t tmpfs -o noexec a /tmp && echo && read line && mount -t tmpfs b /tmp";
    Process child = new ProcessBuilder("unshare", "-m", "sh", "-c", hide + "; cat").start();
    try {
      assumeTrue(child.getInputStream().read() == '\n', "needs root and unshare to mount");
      TargetProcess process = new TargetProcess((int) child.pid());
      assertThat(Hints.noexec(process)).isEqualTo("/tmp");

      child.getOutputStream().write("\nx".getBytes(UTF_8));
      child.getOutputStream().flush();
      assertThat(child.getInputStream().read()).isEqualTo('x'); // both are mounted
      assertThat(Hints.noexec(process)).isEmpty();
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void jar_thatWasDeleted_isSeenAmongTheOpenFiles() throws Exception {
    Path jar = Files.createFile(directory.resolve("flamespan-1.0.jar"));
    String hold = "exec 3< '" + jar + "' && rm '" + jar + "' && echo && cat";
    Process child = new ProcessBuilder("sh", "-c", hold).start();
    try {
      assertThat(child.getInputStream().read()).isEqualTo('\n');
      assertThat(Hints.jars(new TargetProcess((int) child.pid()))).contains(jar + " (deleted)");
    } finally {
      child.descendants().forEach(ProcessHandle::destroyForcibly);
      child.destroyForcibly();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"doctor", "elastic", "page"})
  void jar_ofAnArtifactWithoutThePlugin_isNotTakenForIt(String artifact) throws Exception {
    Path jar = jar("flamespan-" + artifact + "-1.0.jar", "x", "");
    Process child = holding(jar, jar.toString());
    try {
      assertThat(Hints.jars(new TargetProcess((int) child.pid()))).isEmpty();
    } finally {
      end(child);
    }
  }

  /** Returns a process whose command ends with these words, and which has a file open. */
  private static Process holding(Path file, String... words) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "exec 3< '" + file + "' && echo && cat", "sh"));
    command.addAll(List.of(words));
    Process child = new ProcessBuilder(command).start();
    assertThat(child.getInputStream().read()).isEqualTo('\n');
    return child;
  }

  private static void end(Process child) {
    child.descendants().forEach(ProcessHandle::destroyForcibly);
    child.destroyForcibly();
  }

  private Path jar(String name, String... entriesAndContents) throws IOException {
    Path jar = directory.resolve(name);
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (int i = 0; i < entriesAndContents.length; i += 2) {
        out.putNextEntry(new ZipEntry(entriesAndContents[i]));
        out.write(entriesAndContents[i + 1].getBytes(UTF_8));
      }
    }
    return jar;
  }

  @ParameterizedTest
  @CsvSource({
    "'', true",
    "other.Customizer, true",
    "io.flamespan.correlation.internal.autoconfigure.ProfilingCorrelationAutoConfig, false"
  })
  void jar_ofAnApplication_isSearchedForThePlugin(String listed, boolean unlisted)
      throws IOException {
    String services =
        "META-INF/services/io.opentelemetry.sdk.autoconfigure.spi."
            + "AutoConfigurationCustomizerProvider";
    Path jar =
        jar(
            "app.jar",
            "io/flamespan/correlation/ProfilingCorrelation.class",
            "",
            listed.isEmpty() ? "other" : services,
            listed);
    Process child = holding(jar);
    try {
      TargetProcess process = new TargetProcess((int) child.pid());
      assertThat(Hints.jars(process)).isEqualTo(jar.toString());
      assertThat(Hints.unlisted(process)).isEqualTo(unlisted ? jar.toString() : "");
    } finally {
      end(child);
    }
  }

  @Test
  void jar_withinAnExecutableOne_isSeen() throws IOException {
    String nested = "BOOT-INF/lib/flamespan-1.0.jar";
    Path jar = jar("boot.jar", nested, "", "BOOT-INF/lib/flamespan-x.jar", "");
    Process child = holding(jar);
    try {
      TargetProcess process = new TargetProcess((int) child.pid());
      assertThat(Hints.jars(process)).isEqualTo(jar + "!/" + nested);
      assertThat(Hints.unlisted(process)).isEmpty();
    } finally {
      end(child);
    }
  }

  @Test
  void file_thatIsNoJar_isIgnored() throws IOException {
    Process child = holding(Files.writeString(directory.resolve("odd.jar"), "PK\003\004 odd"));
    try {
      assertThat(Hints.jars(new TargetProcess((int) child.pid()))).isEmpty();
    } finally {
      end(child);
    }
  }

  @Test
  void jar_thatDoesNotExist_isNotCalledInUse() throws IOException {
    String option = "-Dotel.javaagent.extensions=";
    Path jar = directory.resolve("flamespan-1.0.jar");
    Process child = holding(Path.of("/dev/null"), option + jar);
    try {
      TargetProcess process = new TargetProcess((int) child.pid());
      assertThat(Hints.jars(process)).isEqualTo(Hints.MISSING + jar);
      Files.createFile(jar);
      assertThat(Hints.jars(process)).isEqualTo(jar.toString());
    } finally {
      end(child);
    }
  }

  /** Whatever its name, and beside a jar that the agent does not look at. */
  @ParameterizedTest
  @CsvSource({
    "OTEL_JAVAAGENT_EXTENSIONS, ''",
    "JAVA_TOOL_OPTIONS, -Xmx1g -Dotel.javaagent.extensions="
  })
  void extension_thatDoesNotExist_isNamed(String variable, String option) throws IOException {
    Path other = Files.createFile(directory.resolve("flamespan-1.0.jar"));
    Path missing = directory.resolve("extensions");
    ProcessBuilder command = new ProcessBuilder("sh", "-c", "echo && cat", "sh", other.toString());
    command.environment().put(variable, option + other + "," + missing);
    Process child = command.start();
    try {
      assertThat(child.getInputStream().read()).isEqualTo('\n');
      TargetProcess process = new TargetProcess((int) child.pid());
      assertThat(Hints.jars(process)).isEqualTo(Hints.MISSING + missing);
      Files.createDirectory(missing);
      assertThat(Hints.jars(process)).isEqualTo(other.toString());
    } finally {
      end(child);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-javaagent:/a/opentelemetry-javaagent-2.33.1.jar, /a/opentelemetry-javaagent-2.33.1.jar",
    "-javaagent:splunk-otel-javaagent.jar, splunk-otel-javaagent.jar",
    "-javaagent:/a/dd-java-agent.jar, ''",
  })
  void agent_withoutExtensions_isSeen(String option, String seen) throws IOException {
    Process without = holding(Path.of("/dev/null"), option);
    Process with = holding(Path.of("/dev/null"), option, "-Dotel.javaagent.extensions=plugin.jar");
    try {
      assertThat(Hints.agent(new TargetProcess((int) without.pid()))).isEqualTo(seen);
      assertThat(Hints.agent(new TargetProcess((int) with.pid()))).isEmpty();
    } finally {
      end(without);
      end(with);
    }
  }
}
