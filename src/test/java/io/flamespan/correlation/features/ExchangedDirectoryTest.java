/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.SharedHost.RIVAL;
import static io.flamespan.correlation.testing.SharedHost.USER;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.PatientApp;
import io.flamespan.correlation.apps.PingApp;
import io.flamespan.correlation.internal.nativelib.ExchangedApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.DoctorReport;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.RunningCommand;
import io.flamespan.correlation.testing.SharedHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: no library of another user is loaded where that user can exchange the private directory
 * at any moment, because everybody may write to its parent, which is not sticky. Volumes of
 * Kubernetes are such directories. Use {@code -Dtest.races=N} for more rounds.
 */
@NotInEmulation("the kernel exchanges directories in the same way on every CPU")
class ExchangedDirectoryTest {
  private static final int ROOT = 0;
  private static final int RACES = Integer.getInteger("test.races", 100);
  private static final int STARTS = Math.max(3, RACES / 100);
  private static final String UNGUESSABLE = ".*-linux-\\w+-[0-9a-f]{32}[.]so";

  @AutoClose private SharedHost host;
  private Path open;

  @BeforeEach
  void createHost() {
    host = new SharedHost();
    open = host.createDirectory("open", ROOT, "rwxrwxrwx");
  }

  private ChildJvm jvm(int user) {
    return host.jvm(user).property("java.io.tmpdir", open.toString());
  }

  private Path place(int user) {
    return open.resolve(host.privateDirectory(user).getFileName());
  }

  /** Starts to exchange the directory of a user for directories and links to foreign libraries. */
  private RunningCommand startRival(int user) throws IOException {
    // The names of shared files are no secret: every user has the same.
    assertThat(host.jvm(user).run(PingApp.class).output()).contains("Flamespan is on");
    List<Path> names = SharedHost.libraries(host.privateDirectory(user));
    // Only within one directory may a directory of another user be renamed.
    Path his = open.resolve("his");
    Path foreign =
        NativeProgram.library("gcc", open.resolve("a.so"), NativeProgram.source("foreign.c"));
    Path link = open.resolve("link");
    Path target = open.resolve("target");
    SharedHost.plant(foreign, names, his, target);
    Files.createSymbolicLink(link, target);
    NativeProgram.run(List.of("chown", "-hR", Integer.toString(RIVAL), open.toString()));
    NativeProgram.run(List.of("chown", "0", open.toString()));
    NativeProgram.run(List.of("chmod", "-R", "a+rwX", open.toString()));
    List<Object> attack = List.of("exchange", place(user), foreign, his, link);
    RunningCommand rival = RunningCommand.start(host.command(RIVAL, attack.toArray()));
    rival.awaitLine("started");
    return rival;
  }

  private static void assertAttacked(RunningCommand rival) {
    rival.goOn();
    assertThat(rival.numbers("exchanged").get("exchanged")).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {USER, ROOT})
  void loads_whileTheDirectoryIsExchanged_areNeverForeign(int user) throws IOException {
    try (RunningCommand rival = startRival(user)) {
      ChildJvm.Result result =
          jvm(user).run(ExchangedApp.class, Integer.toString(RACES / 4)).succeeded();
      assertThat(result.output()).contains("loaded=").doesNotContain("FOREIGN");
      assertAttacked(rival);
    }
  }

  @Test
  void starts_whileTheDirectoryIsExchanged_areOffOrLoadTheirOwn() throws IOException {
    try (RunningCommand rival = startRival(USER)) {
      for (int i = 0; i < STARTS; i++) {
        ChildJvm.Result result = jvm(USER).run(PingApp.class).succeeded();
        assertThat(result.output())
            .contains("current: true")
            .containsPattern("Flamespan is (on|off)")
            .doesNotContain("FOREIGN");
      }
      assertAttacked(rival);
    }
  }

  @Test
  void doctorAsRoot_whileItsDirectoryIsExchanged_loadsNothingForeign() throws IOException {
    try (DoctorPatient patient = DoctorPatient.start(host.jvm(USER).command(PatientApp.class));
        RunningCommand rival = startRival(ROOT)) {
      for (int i = 0; i < STARTS; i++) {
        DoctorReport report = DoctorReport.in(open, patient.pid());

        assertThat(report.output()).contains("socket.bound").doesNotContain("FOREIGN");
      }
      assertAttacked(rival);
    }
  }

  @Test
  void directory_thatNobodyExchanges_isUsedWithFilesOfTheProcess() throws IOException {
    try (DoctorPatient patient = DoctorPatient.start(jvm(USER).command(PatientApp.class))) {
      assertThat(patient.output()).contains("Flamespan is on").doesNotContain("WARNING");
      List<Path> libraries = SharedHost.libraries(place(USER));
      assertThat(libraries)
          .hasSize(3)
          .allSatisfy(library -> assertThat(library.toString()).matches(UNGUESSABLE));
      assertThat(patient.examine().verdict("library.file")).isEqualTo("ok");
    }
  }

  @Test
  void filesOfTheProcess_afterItsEnd_areDeleted() throws IOException {
    assertThat(jvm(USER).run(PingApp.class).output())
        .contains("Flamespan is on")
        .doesNotContain("WARNING");
    assertThat(SharedHost.libraries(place(USER))).isEmpty();
  }
}
