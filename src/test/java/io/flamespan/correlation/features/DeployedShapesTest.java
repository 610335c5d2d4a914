/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.Waiting.await;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.ContainerApp;
import io.flamespan.correlation.apps.ShapedApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import io.flamespan.correlation.testing.Jars;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.SourceFile;
import io.flamespan.correlation.testing.StandIn;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: in whatever shape the jars reach an application, spans get their stack traces, or a line
 * of the log or of the doctor says why not.
 */
@NotInEmulation("a debugger sees the emulator's thread pointer, not the emulated one")
class DeployedShapesTest {
  private static final String IDS = "elastic.profiler_stack_trace_ids";
  private static final String ON = "Flamespan is on";
  private static final String OURS = "rofiling correlation"; // in any line of the plug-in
  private static final String APP = ShapedApp.class.getName();

  @TempDir Path directory;
  private Path app;

  @BeforeEach
  void pack() throws IOException {
    app = Jars.pack(directory.resolve("app.jar"), ShapedApp.class);
  }

  private static String path(Stream<Path> jars) {
    return jars.map(Path::toString).collect(joining(File.pathSeparator));
  }

  /** Returns a class path of any of these, by their letters: application, SDK, plug-in. */
  private String path(String letters) {
    Stream<Path> jars = Stream.of();
    jars = letters.contains("a") ? Stream.concat(jars, Stream.of(app)) : jars;
    jars = letters.contains("s") ? Stream.concat(jars, Jars.sdk().stream()) : jars;
    return path(letters.contains("p") ? Stream.concat(jars, Stream.of(Jars.plugin())) : jars);
  }

  private List<String> java(String... words) {
    return command(Path.of(System.getProperty("java.home"), "bin", "java"), words);
  }

  private List<String> command(Path java, String... words) {
    List<String> command = new ArrayList<>(List.of(java.toString(), ChildJvm.BRIEF, "-Xmx256m"));
    command.addAll(ChildJvm.nativeAccess("ALL-UNNAMED"));
    command.add("-Dotel.traces.exporter=logging");
    command.addAll(List.of("-Dotel.metrics.exporter=none", "-Dotel.logs.exporter=none"));
    command.add("-D" + CorrelatedSdk.PREFIX + "socket.dir=" + directory.resolve("s"));
    command.addAll(List.of(words));
    return command;
  }

  /** Starts the application under a profiler, and waits for spans with stack traces. */
  private String assertCorrelates(List<String> java) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(new StandIn(directory).command("--rate 50 --duration 170")));
    command.addAll(java);
    try (DoctorPatient patient = DoctorPatient.start(command)) {
      await()
          .alias("spans with stack traces")
          .until(() -> patient.output().contains(IDS) || !patient.handle().isAlive());
      assertThat(patient.output()).contains(ON, IDS).doesNotContain("WARNING", "\tat ");
      return patient.output();
    }
  }

  /** Waits for the text in place of a warning, of which the first words may arrive alone. */
  private static void awaitLine(DoctorPatient patient, String text) {
    await().untilAsserted(() -> assertThat(patient.output()).contains(text));
  }

  /** Starts an application that nothing of the plug-in reaches, and asks the doctor. */
  private DoctorReport assertSilent(List<String> java) throws IOException {
    try (DoctorPatient patient = DoctorPatient.start(java)) {
      DoctorReport report = patient.examine().withoutFault();
      assertThat(patient.output()).doesNotContain(OURS);
      report.says("could not look", "library.mapped");
      return report;
    }
  }

  private Path fatJar(boolean merges) throws IOException {
    List<Path> jars = new ArrayList<>(List.of(app, Jars.of("opentelemetry-baggage-processor-")));
    jars.addAll(Jars.sdk());
    jars.add(Jars.plugin());
    return Jars.merge(directory.resolve("fat.jar"), ShapedApp.class, jars, merges);
  }

  @Test
  void fatJar_withMergedServices_correlates() throws IOException {
    assertCorrelates(java("-jar", fatJar(true).toString()));
  }

  /** Nothing of the plug-in is loaded, so only the doctor can know. */
  @Test
  void fatJar_withTheServicesOfAnotherJar_isNamedByTheDoctor() throws IOException {
    Path jar = fatJar(false);

    assertSilent(java("-jar", jar.toString()))
        .says("warning", "plugin.jar", "plugin.services")
        .saw("plugin.services", jar.toString(), "AutoConfigurationCustomizerProvider")
        .advises("plugin.services", "ServicesResourceTransformer", "mergeServiceFiles()");
  }

  /** Returns the application as a module, which names those of OpenTelemetry that it uses. */
  private Path module() throws IOException {
    Path source = Files.createDirectory(directory.resolve("source"));
    Path info = source.resolve("module-info.java");
    Files.writeString(
        info,
        "module shaped {"
            + " requires io.opentelemetry.api; requires io.opentelemetry.context;"
            + " requires io.opentelemetry.sdk.autoconfigure; }");
    Path classes = directory.resolve("module");
    NativeProgram.check(
        SourceFile.tool("javac").toString(),
        "--release",
        "11",
        "-Xlint:none",
        "-d",
        classes.toString(),
        "-p",
        path("s"),
        info.toString(),
        "src/test/java/" + APP.replace('.', '/') + ".java");
    return classes;
  }

  /** The module path has automatic modules, whose services are those of META-INF/services. */
  @ParameterizedTest
  @CsvSource({"sp, ''", "s, p"})
  void modulePath_withThePluginThereOrOnTheClassPath_correlates(String modules, String others)
      throws IOException {
    String modulePath = module() + File.pathSeparator + path(modules);
    List<String> words = new ArrayList<>(List.of("-p", modulePath));
    words.addAll(
        others.isEmpty()
            ? ChildJvm.nativeAccess("io.flamespan.correlation")
            : List.of("-cp", path(others)));
    words.addAll(List.of("-m", "shaped/" + APP));

    assertCorrelates(java(words.toArray(new String[0])));
  }

  private Path linkedRuntime(String modules) {
    Path jlink = SourceFile.tool("jlink");
    NativeProgram.assumeWorks("the JDK has no jlink", jlink.toString(), "--version");
    Path runtime = directory.resolve("runtime");
    NativeProgram.check(jlink.toString(), "--add-modules", modules, "--output", runtime.toString());
    return runtime.resolve("bin/java");
  }

  @ParameterizedTest
  @ValueSource(strings = {"java.logging", "java.logging,java.management"})
  void linkedRuntime_withTheModulesOfThePages_correlates(String modules) throws IOException {
    Path java = linkedRuntime(modules);

    assertCorrelates(command(java, "-cp", path("asp"), APP));
  }

  @Test
  void linkedRuntime_withoutTheModuleOfTheDemandedBean_hasALineThatNamesIt() throws IOException {
    List<String> command =
        command(
            linkedRuntime("java.logging"),
            "-D" + CorrelatedSdk.PREFIX + "mbean.enabled=true",
            "-cp",
            path("asp"),
            APP);
    try (DoctorPatient patient = DoctorPatient.start(command)) {
      awaitLine(
          patient,
          "not available as an MBean: this Java runtime lacks the module java.management.");
      assertThat(patient.output()).contains(ON).doesNotContain("NoClassDefFoundError");
    }
  }

  private List<String> container(String shared, String webapp) {
    return java(
        "-cp",
        ChildJvm.wholeClassPath(),
        ContainerApp.class.getName(),
        path(shared),
        path(webapp),
        APP);
  }

  /** The letters are those of the application, the SDK and the plug-in. */
  @ParameterizedTest
  @CsvSource({"sp, a", "sp, asp", "s, asp", "p, asp"})
  void webapp_whosePluginIsWhereItsSdkIs_correlates(String shared, String webapp)
      throws IOException {
    assertCorrelates(container(shared, webapp));
  }

  /** Whatever the file of services names has to be the SDK's own: every library fails like this. */
  @ParameterizedTest
  @CsvSource({
    "p, as, NoClassDefFoundError: io/opentelemetry/sdk/autoconfigure/spi/",
    "sp, as, ProfilingCorrelationAutoConfig not a subtype"
  })
  void webapp_whoseSdkFindsThePluginOfTheServer_failsAsThePagesSay(
      String shared, String webapp, String error) throws Exception {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(container(shared, webapp))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readString(output)).contains(error);
  }

  /** The SDK looks for services in its own class loader. */
  @Test
  void webapp_whoseServerHasTheSdkWithoutThePlugin_isExplainedByTheDoctor() throws IOException {
    assertSilent(container("s", "ap"))
        .says("warning", "plugin.jar")
        .saw("plugin.jar", Jars.plugin().toString())
        .advises("plugin.jar", "an SDK finds only what its own class loader finds");
  }

  private static String agent() {
    return "-javaagent:"
        + Path.of(System.getProperty("test.agents"), "opentelemetry-javaagent.jar");
  }

  private static String extension() {
    return "-Dotel.javaagent.extensions=" + Jars.plugin();
  }

  /** With the letters for the class path, on which an application may have another copy. */
  @ParameterizedTest
  @ValueSource(strings = {"as", "asp"})
  void application_underTheAgentWithTheExtension_correlates(String classPath) throws IOException {
    assertCorrelates(java(agent(), extension(), "-cp", path(classPath), APP, "global"));
  }

  @Test
  void fatJar_underTheAgentWithTheExtension_correlates() throws IOException {
    assertCorrelates(java(agent(), extension(), "-jar", fatJar(false).toString(), "global"));
  }

  @Test
  void application_underTheAgentWithoutTheExtension_isExplainedByTheDoctor() throws IOException {
    assertSilent(java(agent(), "-cp", path("asp"), APP, "global"))
        .says("warning", "plugin.extension")
        .advises("plugin.extension", "-Dotel.javaagent.extensions");
  }

  @Test
  void extension_thatDoesNotExist_isNamedByTheDoctor() throws IOException {
    String missing = extension().replace(".jar", "-old.jar");

    assertSilent(java(agent(), missing, "-cp", path("as"), APP, "global"))
        .says("warning", "plugin.jar")
        .saw("plugin.jar", "missing: ", "-old.jar")
        .advises("plugin.jar", "correct the path");
  }

  /** An SDK that the application configures beside that of the agent. */
  @Test
  void ownSdk_underTheAgent_hasALineThatNamesTheExtension() throws IOException {
    try (DoctorPatient patient = DoctorPatient.start(java(agent(), "-cp", path("asp"), APP))) {
      awaitLine(
          patient,
          "Load the plug-in as an extension of the agent, with -Dotel.javaagent.extensions");
    }
  }
}
