/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.springboot;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.ContainerApp;
import io.flamespan.correlation.internal.config.Settings;
import io.flamespan.correlation.testing.SourceFile;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: a Spring Boot application needs no code for the plug-in, and starts wherever the jars
 * are.
 */
class SpringBootTest {
  private static final String LAUNCHERS = "org.springframework.boot.loader.";
  private static final String DISABLED = "-D" + Settings.ENABLED + "=false";
  private static final String TRACED = "traced";
  private static final long LIMIT_MINUTES = 3;

  @TempDir static Path directory;

  private static Path plugin;
  private static Path starter;

  /**
   * Executable jars of the application: with the starter, without it, and without OpenTelemetry.
   */
  private static Path complete;

  private static Path without;
  private static Path untraced;

  private record Run(int status, String output) {
    Run succeeded() {
      assertThat(status).as(output).isZero();
      assertThat(output).contains("started").doesNotContain("WARNING");
      return this;
    }

    void isCorrelated() {
      assertThat(succeeded().output)
          .contains("default storage: false", "Flamespan is on", "current: true");
    }
  }

  @BeforeAll
  static void pack() throws Exception {
    plugin = ExecutableJar.jarOf(Settings.class, directory.resolve("plugin.jar"));
    starter =
        ExecutableJar.jarOf(
            Class.forName(BootApp.class.getPackageName() + ".internal.TracerProviderCustomizer"),
            directory.resolve("starter.jar"));
    untraced = ExecutableJar.pack(directory.resolve("untraced.jar"), List.of("spring"), List.of());
    List<String> traced = List.of("spring", "opentelemetry");
    without = ExecutableJar.pack(directory.resolve("without.jar"), traced, List.of());
    complete =
        ExecutableJar.pack(directory.resolve("complete.jar"), traced, List.of(plugin, starter));
  }

  private static String classPath(Path... entries) {
    return List.of(entries).stream().map(Path::toString).collect(joining(File.pathSeparator));
  }

  private static Run java(List<String> options, String... mainAndArguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= 24) {
      command.add("--enable-native-access=ALL-UNNAMED"); // suppresses the JVM's warning
    }
    command.addAll(
        List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dotel.traces.exporter=logging"));
    command.addAll(List.of("-Dotel.metrics.exporter=none", "-Dotel.logs.exporter=none"));
    // It warns of a host name that takes long.
    command.add("-Dspring.main.log-startup-info=false");
    command.addAll(options);
    command.addAll(List.of(mainAndArguments));
    Path output = Files.createTempFile(directory, "run", ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("still running: " + Files.readString(output));
    }
    return new Run(process.exitValue(), Files.readString(output));
  }

  @Test
  void application_withTheStarter_isCorrelatedFromItsFirstContextOn() throws Exception {
    java(List.of("-cp", complete.toString()), LAUNCHERS + "JarLauncher", TRACED).isCorrelated();
  }

  @Test
  void application_onAClassPath_isCorrelated() throws Exception {
    String classPath = ExecutableJar.classPath().stream().collect(joining(File.pathSeparator));

    java(List.of("-cp", classPath), BootApp.class.getName(), TRACED).isCorrelated();
  }

  @Test
  void application_thatHasTheJarsByLoaderPath_isCorrelated() throws Exception {
    java(
            List.of("-cp", without.toString(), "-Dloader.path=" + plugin + "," + starter),
            LAUNCHERS + "PropertiesLauncher",
            TRACED)
        .isCorrelated();
  }

  @Test
  void application_disabledByAProperty_keepsItsStorage() throws Exception {
    Run run =
        java(List.of("-cp", complete.toString(), DISABLED), LAUNCHERS + "JarLauncher", TRACED);

    assertThat(run.succeeded().output)
        .contains("default storage: true", "current: true")
        .doesNotContain("Flamespan is on");
  }

  /** As Spring's own properties are written. Spring does not find the setting by it. */
  @Test
  void setting_withADash_hasALineWithItsName() throws Exception {
    Run run =
        java(
            List.of("-cp", complete.toString()),
            LAUNCHERS + "JarLauncher",
            TRACED,
            "--flamespan.buffer-size=17",
            "--FLAMESPAN.ENABLED=auto");

    assertThat(run.status).isZero();
    assertThat(run.output)
        .containsOnlyOnce("has no effect")
        .containsOnlyOnce("flamespan.buffer-size has no effect")
        .contains("Did you mean flamespan.buffer.size?");
  }

  /** OpenTelemetry's starter then reads nothing but its section. */
  @Test
  void setting_besideDeclarativeConfiguration_hasALineAndNoEffect() throws Exception {
    Run run =
        java(
            List.of("-cp", complete.toString(), "-Dflamespan.buffer.size=17"),
            LAUNCHERS + "JarLauncher",
            TRACED,
            "--otel.file_format=1.0",
            "--flamespan.enabled=false");

    assertThat(run.status).isZero();
    assertThat(run.output)
        .containsOnlyOnce("has no effect")
        .contains("flamespan.enabled has no effect beside otel.file_format. Set enabled below")
        .contains("default storage: false", "Flamespan is on", "current: true");
  }

  /** As plug-ins of build tools make it that do not merge files of one name. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "META-INF/spring.factories",
        "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports",
        "META-INF/services/io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider"
      })
  void jarOfSeveral_whoseFilesWereNotMerged_hasALineWithTheFile(String lost) throws Exception {
    Path jar = directory.resolve(lost.replace('/', '.') + ".jar");
    ExecutableJar.merge(jar, List.of(plugin, starter), lost);
    String classPath =
        ExecutableJar.classPath().stream()
            .filter(entry -> !Path.of(entry).endsWith(Path.of("target", "classes")))
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith("flamespan-"))
            .collect(joining(File.pathSeparator));

    Run run =
        java(List.of("-cp", jar + File.pathSeparator + classPath), BootApp.class.getName(), TRACED);

    assertThat(run.status).as(run.output).isZero();
    assertThat(run.output).containsOnlyOnce(lost + " lacks io.flamespan.");
  }

  @Test
  void application_withoutOpenTelemetry_startsWithTheStarter() throws Exception {
    Path jar =
        ExecutableJar.pack(
            directory.resolve("bare.jar"), List.of("spring"), List.of(plugin, starter));

    java(List.of("-cp", jar.toString()), LAUNCHERS + "JarLauncher").succeeded();
  }

  /** There, the plug-in cannot see Spring. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void executableJar_besideThePlugin_starts(boolean first) throws Exception {
    String classPath = first ? classPath(plugin, untraced) : classPath(untraced, plugin);

    java(List.of("-cp", classPath), LAUNCHERS + "JarLauncher").succeeded();
    java(List.of("-cp", classPath, DISABLED), LAUNCHERS + "JarLauncher").succeeded();
  }

  @Test
  void executableJar_thatHasTheJarsByLoaderPathToo_isCorrelated() throws Exception {
    java(
            List.of("-cp", complete.toString(), "-Dloader.path=" + plugin + "," + starter),
            LAUNCHERS + "PropertiesLauncher",
            TRACED)
        .isCorrelated();
  }

  /** There, the copy hides that of the application, and does not see its OpenTelemetry. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void executableJar_withTheStarter_besideThePlugin_hasALineWithTheJar(boolean first)
      throws Exception {
    String classPath = first ? classPath(plugin, complete) : classPath(complete, plugin);

    assertUnseen(java(List.of("-cp", classPath), LAUNCHERS + "JarLauncher", TRACED));
  }

  private static void assertUnseen(Run run) {
    assertThat(run.output)
        .containsOnlyOnce("does not see the OpenTelemetry of this application")
        .contains("Flamespan is off: file:" + plugin, "NoClassDefFoundError");
    assertThat(run.status).isNotZero(); // the SDK finds the plug-in's name
  }

  /** Returns a class path by letters: application, Spring and OpenTelemetry, plug-in, starter. */
  private static String path(String letters) {
    List<String> entries = new ArrayList<>();
    for (String entry : ExecutableJar.classPath()) {
      String name = Path.of(entry).getFileName().toString();
      boolean isLibrary = name.startsWith("spring") || name.startsWith("opentelemetry");
      if (letters.contains(name.equals("test-classes") ? "a" : isLibrary ? "l" : "-")) {
        entries.add(entry);
      }
    }
    if (letters.contains("p")) {
      entries.add(plugin.toString());
    }
    if (letters.contains("s")) {
      entries.add(starter.toString());
    }
    return String.join(File.pathSeparator, entries);
  }

  private static Run webapp(String shared, String webapp) throws Exception {
    return java(
        List.of("-cp", System.getProperty("java.class.path")),
        ContainerApp.class.getName(),
        path(shared),
        path(webapp),
        BootApp.class.getName(),
        TRACED);
  }

  @ParameterizedTest
  @CsvSource({"lps, a", "lps, alps", "l, alps", "ps, alps", "p, alps"})
  void webapp_whoseJarsAreWhereItsLibrariesAre_isCorrelated(String shared, String webapp)
      throws Exception {
    webapp(shared, webapp).isCorrelated();
  }

  @Test
  void webapp_whoseServerHasThePluginAlone_hasALineWithTheJar() throws Exception {
    assertUnseen(webapp("p", "als"));
  }

  @Test
  void webapp_whoseServerHasTheStarterAlone_failsAsThePagesSay() throws Exception {
    Run run = webapp("ps", "al");

    assertThat(run.status).isNotZero();
    assertThat(run.output).contains("NoClassDefFoundError: org/springframework/context/");
  }

  /** With an empty class of the agent in place of the agent. */
  @ParameterizedTest
  @CsvSource({
    "-Dfoo=bar, true",
    "-Dotel.javaagent.enabled=false, false",
    "-Dflamespan.enabled=false, false",
    "-Delastic.otel.universal.profiling.integration.enabled=false, false",
    "-Dflamespan.status=on, false"
  })
  void application_underAnAgentWithoutThePlugin_hasALine(String option, boolean expected)
      throws Exception {
    Path agent = Files.createTempDirectory(directory, "agent");
    Path source = Files.createDirectory(agent.resolve("source")).resolve("AgentInitializer.java");
    Files.writeString(
        source, "package io.opentelemetry.javaagent.bootstrap; public class AgentInitializer {}");
    SourceFile.compile(source, agent);

    Run run =
        java(
            List.of("-Xbootclasspath/a:" + agent, option, "-cp", complete.toString()),
            LAUNCHERS + "JarLauncher");

    assertThat(run.status).isZero();
    assertThat(run.output.contains("the OpenTelemetry Java agent creates the spans"))
        .as(run.output)
        .isEqualTo(expected);
  }
}
