/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.features;

import static io.otelprofiling.correlation.testing.PatientJvm.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.otelprofiling.correlation.apps.PatientApp;
import io.otelprofiling.correlation.testing.ChildJvm;
import io.otelprofiling.correlation.testing.DoctorPatient;
import io.otelprofiling.correlation.testing.DoctorReport;
import io.otelprofiling.correlation.testing.NativeProgram;
import io.otelprofiling.correlation.testing.OtherWriter;
import io.otelprofiling.correlation.testing.PatientJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Promise: the doctor names what is wrong with the native library of a process. */
@DisabledIfSystemProperty(
    named = "test.emulated",
    matches = "true",
    disabledReason = "reading an emulated process reads the memory of the emulator")
class DoctorLibraryFaultsTest {
  private static final int MORE_THAN_FIT = 200;
  private static final String TUNABLES = "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=2048";

  private Path directory;

  @BeforeEach
  void createDirectory() throws IOException {
    directory = Files.createTempDirectory(Path.of("/tmp"), "pc").toRealPath();
  }

  @AfterEach
  void deleteDirectory() {
    NativeProgram.run(List.of("rm", "-rf", directory.toString()));
  }

  @Test
  void temporaryDir_noexec_isNamedAsLikely() throws IOException {
    NativeProgram.assumeWorks("needs root to mount a file system", "unshare", "-m", "true");
    String mount = "mount --bind /tmp /tmp && mount -o remount,bind,noexec /tmp && exec \"$@\"";
    ChildJvm noexec =
        PatientJvm.create()
            .under("unshare", "-m", "sh", "-c", mount, "sh")
            .property("java.io.tmpdir", "/tmp");
    try (DoctorPatient patient = DoctorPatient.start(noexec.command(PatientApp.class))) {
      DoctorReport report = patient.examine();

      assertThat(report.status()).as(report.output()).isEqualTo(2);
      assertThat(report.verdict("library.mapped")).isEqualTo("could not look");
      assertThat(report.check("library.mapped").remedy()).contains("VM.system_properties");
      assertThat(report.verdict("plugin.noexec")).isEqualTo("warning");
      assertThat(report.check("plugin.noexec").remedy()).contains("native.dir");
    }
  }

  @Test
  void libraryFile_deleted_isWarning() throws IOException {
    ChildJvm app =
        PatientJvm.create()
            .property(
                "elastic.otel.universal.profiling.integration.native.dir", directory.toString());
    try (DoctorPatient patient = DoctorPatient.start(app.command(PatientApp.class))) {
      try (Stream<Path> files = Files.walk(directory)) {
        Path library =
            files.filter(file -> file.toString().contains("elastic-jvmti")).findFirst().get();
        Files.delete(library);
      }
      DoctorReport report = patient.examine();

      assertThat(report.status()).as(report.output()).isZero();
      assertThat(report.verdict("library.file")).isEqualTo("warning");
      assertThat(report.check("library.file").seen()).contains("was deleted after");
      assertThat(report.check("library.file").remedy()).contains("Exclude otel-profiling-*");
      assertThat(report.verdict("library.symbols")).as("read all the same").isEqualTo("ok");
      assertThat(report.verdict("library.tls")).isEqualTo("ok");
    }
  }

  @Test
  void staticTls_usedUpByPreloadedLibrary_isNamedAndTheRemedyWorks() throws IOException {
    List<String> writer = new OtherWriter(directory).command();
    Path eater =
        NativeProgram.library(
            "gcc", directory.resolve("eater.so"), "-DEATER", NativeProgram.source("eater.c"));
    for (int i = 0; i < MORE_THAN_FIT; i++) {
      Files.copy(eater, directory.resolve("eater-" + i + ".so"));
    }
    Path preload =
        NativeProgram.library(
            "gcc", directory.resolve("preload.so"), NativeProgram.source("eater.c"));
    List<String> eating = List.of("env", "LD_PRELOAD=" + preload, "EATER_DIR=" + directory);
    List<String> whatFits = new ArrayList<>(eating);
    whatFits.addAll(List.of(writer.get(0), "/no/library"));
    String eaten = NativeProgram.run(whatFits).text().replaceAll("(?s)eaten=(\\d+).*", "$1");
    assertThat(Integer.parseInt(eaten)).isBetween(1, MORE_THAN_FIT - 1);

    List<String> command = new ArrayList<>(eating);
    command.add("EATERS=" + eaten);
    command.addAll(writer);
    try (DoctorPatient patient = DoctorPatient.start(command)) {
      assertFault(patient.examine(), "library.tls", "not static TLS", "LD_PRELOAD, other agents");
      assertThat(patient.examine().check("library.tls").remedy()).contains(TUNABLES);
    }
    command.add(1, TUNABLES);
    Files.delete(Path.of(writer.get(2)));
    try (DoctorPatient patient = DoctorPatient.start(command)) {
      DoctorReport report = patient.examine();

      assertThat(report.verdict("library.tls")).as(report.output()).isEqualTo("ok");
      assertThat(report.check("threads.records").seen()).contains("2 show a trace");
    }
  }

  @Test
  void staticTls_noneForThePlugin_isNamedAlthoughItRuns() throws IOException {
    ChildJvm app =
        PatientJvm.create().under("env", "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=0");
    try (DoctorPatient patient = DoctorPatient.start(app.command(PatientApp.class))) {
      DoctorReport report = patient.examine();

      assertFault(report, "library.tls", "not static TLS", TUNABLES);
      assertThat(report.verdict("inside.state")).as("it runs").isEqualTo("ok");
    }
  }

  @Test
  void musl_isNamed() throws IOException {
    OtherWriter writer = new OtherWriter(directory, "musl-gcc", directory.resolve("d/a.sock"));
    try (DoctorPatient patient =
        DoctorPatient.start(writer.command(NativeProgram.ours(directory)))) {
      assertFault(patient.examine(), "library.tls", "not static TLS", "image with glibc");
    }
    try (DoctorPatient patient = writer.start()) {
      DoctorReport report = patient.examine();

      assertFault(report, "library.tls", "not static TLS", "image with glibc");
      assertThat(report.verdict("storage.set")).isEqualTo("ok");
      assertThat(report.verdict("threads.records")).isEqualTo("could not look");
      assertThat(report.check("threads.records").remedy()).contains("only threads of glibc");
    }
  }

  @Test
  void library_builtWithoutTlsDescriptors_isNamed() throws IOException {
    Path library = build(NativeProgram.NO_TLSDESC, Path.of("native/exports.map"));
    try (DoctorPatient patient = DoctorPatient.start(new OtherWriter(directory).command(library))) {
      assertFault(patient.examine(), "library.symbols", "no TLSDESC relocation", "gnu2 (x86-64)");
    }
  }

  @Test
  void library_withoutTheSymbols_isNamed() throws IOException {
    Path exports = directory.resolve("exports.map");
    Files.writeString(exports, "{ global: JNI_OnLoad; local: *; };\n");
    Path library = build(NativeProgram.TLSDESC, exports);
    try (DoctorPatient patient = DoctorPatient.start(new OtherWriter(directory).command(library))) {
      assertFault(
          patient.examine(),
          "library.symbols",
          "not exported, or not of 8 bytes: elastic_apm",
          "as published");
    }
  }

  @Test
  void library_mappedTwice_isNamed() throws IOException {
    List<String> writer = new OtherWriter(directory).command();
    Path copy = directory.resolve("elastic-jvmti-linux-y.so");
    Files.copy(Path.of(writer.get(1)), copy);
    List<String> command = new ArrayList<>(List.of("env", "LD_PRELOAD=" + copy));
    command.addAll(writer);
    try (DoctorPatient patient = DoctorPatient.start(command)) {
      assertFault(patient.examine(), "library.copies", "2 different libraries", "keep one of them");
    }
  }

  @Test
  void library_mappedButNotLoaded_couldNotBeRead() throws IOException {
    OtherWriter writer = new OtherWriter(directory);
    List<String> command = new ArrayList<>(writer.command());
    command.set(2, "map");
    try (DoctorPatient patient = DoctorPatient.start(command)) {
      DoctorReport report = patient.examine();
      assertThat(report.status()).as(report.output()).isEqualTo(2);
      assertThat(report.check("library.symbols").seen()).contains("linker has not loaded it");
      assertThat(report.verdict("library.tls")).isEqualTo("could not look");
    }
  }

  @Test
  void storage_broken_isNamed() throws IOException {
    try (DoctorPatient patient = new OtherWriter(directory).start("-DFALSE_LENGTH")) {
      assertFault(patient.examine(), "storage.layout", "service-name has a length", "report this");
    }
  }

  @Test
  void storage_null_isNamed() throws IOException {
    try (DoctorPatient patient = new OtherWriter(directory).start("-DNULL_STORAGE")) {
      assertFault(patient.examine(), "storage.set", "is null", "restart the process");
    }
  }

  @Test
  void records_nowhere_areNamed() throws IOException {
    try (DoctorPatient patient = new OtherWriter(directory).start("-DLOST_RECORD")) {
      assertFault(patient.examine(), "threads.records", "leads to 0x1000", "breaks the protocol");
    }
  }

  /** Builds the plug-in's library with other options than the real build. */
  private Path build(String dialect, Path exports) throws IOException {
    Path include = Path.of(System.getProperty("test.jdk"), "include");
    List<String> arguments = new ArrayList<>(List.of(dialect, "-D_GNU_SOURCE"));
    arguments.addAll(List.of("-fvisibility=hidden", "-Wl,--version-script=" + exports));
    arguments.addAll(List.of("-Inative/include", "-I" + include, "-I" + include.resolve("linux")));
    try (Stream<Path> sources = Files.list(Path.of("native/src"))) {
      sources
          .map(Path::toString)
          .filter(name -> !name.matches(".*/(socket_bridge|thread_context_slot)\\.c"))
          .forEach(arguments::add);
    }
    Path library = directory.resolve("elastic-jvmti-linux-x.so");
    return NativeProgram.library("gcc", library, arguments.toArray(new String[0]));
  }
}
