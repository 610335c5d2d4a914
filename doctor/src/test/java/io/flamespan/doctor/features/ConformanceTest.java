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
import io.flamespan.correlation.testing.NotInEmulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Promise: for any writer of Elastic's protocol, the doctor reports which rules it breaks. */
@NotInEmulation("reading an emulated process reads the memory of the emulator")
class ConformanceTest {
  private static final String NOT_CHECKED = "not checked";

  @TempDir Path directory;

  private static List<String> plugin(String mode) {
    return ChildJvm.exporting("logging").setting("enabled", mode).command(PatientApp.class);
  }

  @Test
  void process_stopped_couldNotBeLookedAt() throws Exception {
    try (DoctorPatient patient = new OtherWriter(directory).start()) {
      patient.stop();
      DoctorReport report = patient.examine("--conformance").exited(2);
      assertThat(report.output()).contains("{\"error\":", "stopped or frozen", "SIGCONT");
    }
  }

  @Test
  void socket_behindALink_isNotChecked() throws IOException {
    Path real = Files.createDirectory(directory.resolve("real"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), real);
    OtherWriter writer = new OtherWriter(directory, "gcc", link.resolve("a.sock"));
    try (DoctorPatient patient = writer.start()) {
      DoctorReport report = patient.examine("--conformance").exited(0);
      report.says(NOT_CHECKED, "socket.file");
      report.saw("socket.file", "is not followed");
    }
  }

  @Test
  void reader_thatIsNotSeenToRead_isUnknown() throws IOException {
    try (DoctorPatient patient = new OtherWriter(directory).start("-DFULL_QUEUE")) {
      DoctorReport report = patient.examine("--conformance").exited(2);
      report.says("could not look", "message.correlation");
      report.saw("message.empty", "still in the queue");
      assertThat(faults(report)).isEmpty();
    }
  }

  private static List<String> faults(DoctorReport report) {
    return report.checks().entrySet().stream()
        .filter(check -> check.getValue().verdict().equals("fault"))
        .map(Map.Entry::getKey)
        .toList();
  }

  @Test
  void pluginInModeAuto_keepsAllRulesAndStaysWaiting() throws IOException {
    try (DoctorPatient patient = DoctorPatient.start(plugin("auto"))) {
      DoctorReport report = patient.examine("--conformance").exited(0);
      report.says("ok", "thread.consistent", "message.truncated");
      report.says(NOT_CHECKED, "message.correlation");
      report.saw("message.correlation", "mode auto", "delay spans");
      assertThat(patient.examine().check("inside.state").seen()).contains("waiting for a first");
    }
  }

  @Test
  void activePlugin_keepsAllRulesAndAcceptsMessages() throws IOException {
    try (DoctorPatient patient = DoctorPatient.start(plugin("true"))) {
      DoctorReport report = patient.examine("--conformance").exited(0);
      report.says("ok", "message.correlation", "message.later-minor-version");
      assertThat(patient.examine().verdict("inside.messages")).isEqualTo("ok");
    }
  }

  @Test
  void otherWriter_correct_keepsAllRules() throws IOException {
    try (DoctorPatient patient = new OtherWriter(directory).start()) {
      DoctorReport report = patient.examine("--conformance").exited(0);
      report.says("ok", "message.correlation");
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      textBlock =
          """
          NO_TLSDESC,      memory.tls-model,              no TLSDESC relocation
          HIDDEN_SYMBOL,   memory.process-symbol,         not exported
          NULL_STORAGE,    storage.published,             is null
          FALSE_LENGTH,    storage.layout,                service-name has a length of 2139062143
          LOST_STORAGE,    storage.layout,                cannot read 2 bytes at 0x1000
          LONG_NAME,       storage.service-name,          129 bytes
          BAD_UTF8,        storage.layout,                service-name is not UTF-8
          VERSION_0,       storage.minor-version,         0
          RELATIVE_PATH,   storage.socket-path,           a.sock
          STREAM,          socket.datagram,               of another type
          UNBOUND,         socket.bound-before-published, no socket is bound
          ZERO_TRACE,      thread.layout,                 an id is all zeros
          LOST_RECORD,     thread.layout,                 leads to 0x1000
          TWO_ROOTS,       thread.consistent,             "span 2020202020202020 with "
          CRASH_TRUNCATED, message.truncated,             gone
          CRASH_UNKNOWN,   message.unknown-type,          gone
          """)
  void otherWriter_thatBreaksOneRule_hasThisFaultOnly(String rule, String id, String seen)
      throws IOException {
    try (DoctorPatient patient = OtherWriter.breaking(rule, directory)) {
      DoctorReport report = patient.examine("--conformance").exited(1);
      assertThat(faults(report)).as(report.output()).containsExactly(id);
      report.saw(id, seen);
      assertThat(report.check(id).remedy()).startsWith("The rule: ");
    }
  }
}
