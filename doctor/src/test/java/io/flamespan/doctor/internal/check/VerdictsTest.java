/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import static io.flamespan.doctor.internal.check.Verdict.COULD_NOT_LOOK;
import static io.flamespan.doctor.internal.check.Verdict.FAULT;
import static io.flamespan.doctor.internal.check.Verdict.NOT_CHECKED;
import static io.flamespan.doctor.internal.check.Verdict.OK;
import static io.flamespan.doctor.internal.check.Verdict.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.doctor.internal.check.SocketFacts.Binding;
import io.flamespan.doctor.internal.check.SocketFacts.Place;
import io.flamespan.doctor.internal.proc.MadeUpMapping;
import io.flamespan.doctor.internal.proc.StatusBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Promise: each verdict follows from evidence. Each row of the table has an example here or, if its
 * evidence is the memory of a process, a test with such a process.
 */
class VerdictsTest {
  private static final Path FEATURES = Path.of("src/test/java/io/flamespan/doctor/features");

  private static final Set<String> TEXTS =
      Set.of("reason", "trouble", "context.storage.problem", "virtual.threads", "process.context");

  private final Set<String> covered = new LinkedHashSet<>();

  @SuppressWarnings("unchecked")
  private static Check<Object> check(String id) {
    return (Check<Object>)
        Checks.ALL.stream().filter(check -> check.id.equals(id)).findFirst().orElseThrow();
  }

  /** Asserts which row an evidence leads to, by number. */
  private void row(String id, int number, Verdict verdict, Object value) {
    Check<Object> check = check(id);
    List<String> rows = List.copyOf(check.rows.keySet());
    assertThat(rows.indexOf(check.rowOf(value)))
        .as("the row of %s for %s", id, value)
        .isEqualTo(number);
    Report report = new Report(1, "process");
    check.conclude(Evidence.of(value), report);
    assertThat(report.verdict()).isEqualTo(verdict);
    assertThat(report.text()).contains(id).doesNotContain("%s");
    covered.add(id + " " + number);
  }

  /** Asserts that the first row is about data that are broken. */
  private void broken(String id, String reason) {
    Report report = new Report(1, "process");
    check(id).conclude(Evidence.broken(reason), report);
    assertThat(report.verdict()).isEqualTo(FAULT);
    assertThat(report.text()).contains(id, reason);
    covered.add(id + " 0");
  }

  /** Names the test with a real process that shows a row. */
  private void shown(String id, int number, String test) throws IOException {
    String[] names = test.split("\\.");
    String source = Files.readString(FEATURES.resolve(names[0] + ".java"));
    assertThat(source).contains("void " + names[1] + "(").contains(id);
    covered.add(id + " " + number);
  }

  private static StatusBlock status(String... entries) {
    Map<String, String> map = new HashMap<>();
    for (Check<?> check : Checks.ALL) {
      check.keys().forEach(key -> map.put(key, TEXTS.contains(key) ? "" : "0"));
    }
    map.putAll(Map.of("state", "active", "processors", "1", "tracker", "1", "spans.seen", "1"));
    for (int i = 0; i < entries.length; i += 2) {
      map.put(entries[i], entries[i + 1]);
    }
    return new StatusBlock(map);
  }

  @Test
  void evidence_thatCouldNotBeRead_isNeverAFault() {
    for (Check<?> check : Checks.ALL) {
      Report report = new Report(1, "process");
      check.conclude(Evidence.unread("it is closed", "Open it."), report);
      assertThat(report.text()).contains("could not look", check.id, "it is closed", "-> Open");
      Report none = new Report(1, "process");
      check.conclude(Evidence.none("there is nothing"), none);
      assertThat(none.text()).contains("not checked", check.id, "there is nothing");
      check.conclude(Evidence.none(""), none);
    }
  }

  @Test
  void status_thatLacksAKey_leadsToNoVerdict() {
    for (Check<?> check : Checks.ALL) {
      for (String key : check.keys()) {
        Map<String, String> entries = new HashMap<>(status().entries);
        entries.remove(key);
        Report report = new Report(1, "process");
        check(check.id).conclude(Evidence.of(new StatusBlock(entries)), report);

        assertThat(report.verdict()).as(check.id + " without " + key).isEqualTo(COULD_NOT_LOOK);
        assertThat(report.text()).contains("unknown: the status has no " + key);
      }
    }
  }

  @Test
  void rows_all_haveAnExample() throws IOException {
    process();
    library();
    statusRows();
    socket();
    for (Check<?> check : Checks.ALL) {
      for (int i = 0; i < check.rows.size(); i++) {
        assertThat(covered).contains(check.id + " " + i);
      }
    }
  }

  private void process() {
    row("process.stopped", 0, WARNING, "all threads are stopped or frozen");
    row("process.stopped", 1, OK, "");
    row("library.mapped", 0, OK, "/tmp/elastic-jvmti-linux-x64.so");
    row("library.mapped", 1, COULD_NOT_LOOK, "no-jvm");
    row("library.mapped", 2, COULD_NOT_LOOK, "");
    row("plugin.jar", 0, NOT_CHECKED, "");
    row("plugin.jar", 1, WARNING, Hints.MISSING + "/flamespan-1.jar");
    row("plugin.jar", 2, WARNING, "/flamespan-1.jar");
    row("plugin.services", 0, NOT_CHECKED, "");
    row("plugin.services", 1, WARNING, "/app.jar");
    row("plugin.extension", 0, NOT_CHECKED, "");
    row("plugin.extension", 1, WARNING, "/opentelemetry-javaagent.jar");
    row("plugin.enabled", 0, NOT_CHECKED, "");
    row("plugin.enabled", 1, WARNING, "OTEL_SDK_DISABLED=true");
    row("plugin.noexec", 0, NOT_CHECKED, "");
    row("plugin.noexec", 1, WARNING, "/tmp");
  }

  private void library() throws IOException {
    shown("library.copies", 0, "DoctorLibraryFaultsTest.library_mappedTwice_isNamed");
    shown("library.file", 1, "DoctorLibraryFaultsTest.libraryFile_deleted_isWarning");
    row("library.file", 0, FAULT, MadeUpMapping.named("/memfd:elastic.so (deleted)"));
    shown("library.symbols", 0, "DoctorLibraryFaultsTest.writer_thatBreaksTheProtocol_isNamed");
    shown("library.symbols", 1, "DoctorLibraryFaultsTest.writer_thatBreaksTheProtocol_isNamed");
    broken("library.tls", "it is not resolved");
    shown(
        "library.tls",
        1,
        "DoctorLibraryFaultsTest.staticTls_usedUpByPreloadedLibrary_isNamedAndTheRemedyWorks");
    shown("storage.set", 0, "DoctorLibraryFaultsTest.writer_thatBreaksTheProtocol_isNamed");
    row("storage.set", 1, OK, 1L);
    shown("storage.layout", 1, "DoctorSocketFaultsTest.path_longerThanTheLimit_isNamed");
    shown("storage.layout", 0, "DoctorLibraryFaultsTest.writer_thatBreaksTheProtocol_isNamed");
    shown("threads.records", 0, "DoctorLibraryFaultsTest.writer_thatBreaksTheProtocol_isNamed");
    shown("threads.records", 1, "DoctorLibraryFaultsTest.musl_isNamed");
    shown("threads.records", 2, "DoctorInsideFaultsTest.context_usedBeforeTheSdk_isAFault");
    for (String id :
        List.of(
            "library.copies 1",
            "library.file 2",
            "library.symbols 2",
            "library.tls 2",
            "storage.layout 2",
            "threads.records 3")) {
      String[] cell = id.split(" ");
      shown(cell[0], Integer.parseInt(cell[1]), "DoctorTest.process_thatWorks_hasNoFault");
    }
  }

  private void statusRows() {
    row("inside.state", 0, OK, status("state", "waiting"));
    row("inside.state", 1, OK, status());
    row("inside.state", 2, NOT_CHECKED, status("state", "off"));
    row("inside.off", 0, FAULT, status("state", "stopped", "reason", ""));
    row("inside.off", 1, FAULT, status("state", "off", "reason", "no memory"));
    row("inside.trouble", 0, WARNING, status("trouble", "slow"));
    row("inside.trouble", 1, OK, status());
    row("inside.settings", 0, OK, "a=1 (file)");
    row("inside.sdks", 0, WARNING, status("sdks.refused", "2"));
    row("inside.sdks", 1, OK, status());
    row("inside.messages", 0, WARNING, status("messages.invalid", "500"));
    row("inside.messages", 1, OK, embedded("on: a profiler", "0"));
    row("inside.messages", 2, WARNING, status("messages.invalid", "0"));
    row("inside.messages", 3, WARNING, status("messages.registration", "1"));
    row("inside.messages", 4, WARNING, many("20"));
    row("inside.messages", 5, OK, many("19"));
    row("host.profiler", 0, WARNING, "");
    row("host.profiler", 1, OK, "4711 ebpf-profiler");
    row("inside.embedded-profiler", 0, WARNING, embedded("failed: it is denied", "0"));
    row("inside.embedded-profiler", 1, WARNING, embedded("stopped: its agent has ended", "9"));
    row("inside.embedded-profiler", 2, WARNING, embedded("on: a profiler", "100"));
    row("inside.embedded-profiler", 3, OK, embedded("on: a profiler", "99"));
    row("inside.embedded-profiler", 3, OK, embedded("stopped: a profiler of the host has …", "9"));
    row("inside.exporters", 0, WARNING, status("processors", "0"));
    row("inside.exporters", 1, OK, status());
    row("inside.spans", 0, COULD_NOT_LOOK, status("tracker", "0"));
    row("inside.spans", 1, WARNING, status("spans.seen", "0"));
    row("inside.spans", 2, WARNING, status("sampler.replaced", "1"));
    row("inside.spans", 3, WARNING, status("spans.lost", "1"));
    row("inside.spans", 4, WARNING, status("spans.released.early", "1"));
    row("inside.spans", 5, OK, status());
    row("inside.context-storage", 0, FAULT, status("context.storage.problem", "used before"));
    row("inside.context-storage", 1, OK, status());
    row("inside.virtual-threads", 0, WARNING, status("virtual.threads", "impossible"));
    row("inside.virtual-threads", 1, WARNING, status("virtual.threads", "disabled by setting"));
    row("inside.virtual-threads", 2, OK, status());
    row("inside.contexts", 0, WARNING, status("process.context", "disabled"));
    row("inside.contexts", 1, WARNING, status("process.context", "failed: no memory"));
    row("inside.contexts", 2, WARNING, status("process.context", "that of another library"));
    row("inside.contexts", 3, OK, status());
  }

  private static StatusBlock many(String unknown) {
    return status("messages.correlation", "199", "messages.unknown", unknown);
  }

  private static StatusBlock embedded(String state, String samples) {
    return status("embedded.profiler", state, "embedded.samples", samples);
  }

  private void socket() {
    row("socket.path", 0, FAULT, "");
    row("socket.path", 0, FAULT, "a.sock");
    row("socket.path", 1, OK, "/d/a.sock");
    row("socket.file", 0, FAULT, Place.MISSING);
    row("socket.file", 1, FAULT, Place.NO_SOCKET);
    row("socket.file", 2, WARNING, Place.LINKED);
    row("socket.file", 3, OK, Place.SOCKET);
    row("socket.bound", 0, COULD_NOT_LOOK, Binding.TAKEN);
    row("socket.bound", 1, FAULT, Binding.REFUSED);
    row("socket.bound", 2, FAULT, Binding.NO_DATAGRAM);
    row("socket.bound", 3, OK, Binding.COUNTED);
    row("socket.bound", 4, NOT_CHECKED, Binding.NOT_REFUSED);
    row("socket.bound", 5, NOT_CHECKED, Binding.UNREAD);
    row("inside.answer", 0, OK, Binding.COUNTED);
    row("inside.answer", 1, COULD_NOT_LOOK, Binding.UNCLEAR);
    row("inside.answer", 2, COULD_NOT_LOOK, Binding.UNCOUNTED);
    row("inside.answer", 3, COULD_NOT_LOOK, Binding.UNREAD);
    row("socket.queue", 0, OK, 10L);
    row("socket.queue", 1, OK, 512L);
  }
}
