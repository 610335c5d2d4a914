/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.PatientApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.NotInEmulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promise: the doctor names what is wrong with the native library of a process. */
@NotInEmulation("reading an emulated process reads the memory of the emulator")
class DoctorLibraryFaultsTest {
  private static final int MORE_THAN_FIT = 200;
  private static final String TUNABLES = "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=2048";

  @TempDir Path directory;

  @Test
  void temporaryDir_noexec_isNamedAsLikely() throws IOException {
    NativeProgram.assumeWorks("needs root to mount a file system", "unshare", "-m", "true");
    String mount = "mount --bind /tmp /tmp && mount -o remount,bind,noexec /tmp && exec \"$@\"";
    ChildJvm noexec =
        PatientJvm.create()
            .under("unshare", "-m", "sh", "-c", mount, "sh")
            .property("java.io.tmpdir", "/tmp");
    try (DoctorPatient patient = DoctorPatient.start(noexec.command(PatientApp.class))) {
      DoctorReport report = patient.examine().exited(2);
      report.says("could not look", "library.mapped");
      report.advises("library.mapped", "VM.system_properties");
      report.says("warning", "plugin.noexec");
      report.advises("plugin.noexec", "native.dir");
    }
  }

  @Test
  void libraryFile_deleted_isWarning() throws IOException {
    ChildJvm app = PatientJvm.create().property("flamespan.native.dir", directory.toString());
    try (DoctorPatient patient = DoctorPatient.start(app.command(PatientApp.class))) {
      try (Stream<Path> files = Files.walk(directory)) {
        Path library =
            files.filter(file -> file.toString().contains("elastic-jvmti")).findFirst().get();
        Files.delete(library);
      }
      DoctorReport report = patient.examine().exited(0);
      report.says("warning", "library.file");
      report.saw("library.file", "was deleted after");
      report.advises("library.file", "Exclude flamespan-*");
      assertThat(report.verdict("library.symbols")).as("read all the same").isEqualTo("ok");
      report.says("ok", "library.tls");
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
      patient.examine().hasFault("library.tls", "not static TLS", "LD_PRELOAD, other agents");
      assertThat(patient.examine().check("library.tls").remedy()).contains(TUNABLES);
    }
    command.add(1, TUNABLES);
    Files.delete(Path.of(writer.get(2)));
    try (DoctorPatient patient = DoctorPatient.start(command)) {
      DoctorReport report = patient.examine();

      report.says("ok", "library.tls");
      report.saw("threads.records", "2 show a trace");
    }
  }

  @Test
  void staticTls_noneForThePlugin_isNamedAlthoughItRuns() throws IOException {
    ChildJvm app =
        PatientJvm.create().under("env", "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=0");
    try (DoctorPatient patient = DoctorPatient.start(app.command(PatientApp.class))) {
      DoctorReport report = patient.examine();

      report.hasFault("library.tls", "not static TLS", TUNABLES);
      assertThat(report.verdict("inside.state")).as("it runs").isEqualTo("ok");
    }
  }

  @Test
  void musl_isNamed() throws IOException {
    OtherWriter writer = new OtherWriter(directory, "musl-gcc", directory.resolve("d/a.sock"));
    try (DoctorPatient patient =
        DoctorPatient.start(writer.command(NativeProgram.ours(directory)))) {
      patient.examine().hasFault("library.tls", "not static TLS", "image with glibc");
    }
    try (DoctorPatient patient = writer.start()) {
      DoctorReport report = patient.examine();

      report.hasFault("library.tls", "not static TLS", "image with glibc");
      report.says("ok", "storage.set");
      report.says("could not look", "threads.records");
      report.advises("threads.records", "only threads of glibc");
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
      patient.examine().hasFault("library.copies", "2 different libraries", "keep one of them");
    }
  }

  @Test
  void library_mappedButNotLoaded_couldNotBeRead() throws IOException {
    OtherWriter writer = new OtherWriter(directory);
    List<String> command = new ArrayList<>(writer.command());
    command.set(2, "map");
    try (DoctorPatient patient = DoctorPatient.start(command)) {
      DoctorReport report = patient.examine().exited(2);
      report.saw("library.symbols", "linker has not loaded it");
      report.says("could not look", "library.tls");
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '|',
      value = {
        "NO_TLSDESC, library.symbols, no TLSDESC relocation, gnu2 (x86-64)",
        "HIDDEN_SYMBOL, library.symbols, |not exported, or not of 8 bytes: elastic_apm|, as published",
        "FALSE_LENGTH, storage.layout, service-name has a length, report this",
        "NULL_STORAGE, storage.set, is null, restart the process",
        "LOST_RECORD, threads.records, leads to 0x1000, breaks the protocol",
        "RELATIVE_PATH, socket.path, 'a.sock' is not absolute, the real path"
      })
  void writer_thatBreaksTheProtocol_isNamed(String rule, String id, String seen, String remedy)
      throws IOException {
    try (DoctorPatient patient = OtherWriter.breaking(rule, directory)) {
      patient.examine().hasFault(id, seen, remedy);
    }
  }
}
