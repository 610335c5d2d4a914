/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.SharedHost.RIVAL;
import static io.flamespan.correlation.testing.SharedHost.USER;
import static io.flamespan.correlation.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flamespan.correlation.apps.PatientApp;
import io.flamespan.correlation.apps.PingApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.CorrelatedSdk;
import io.flamespan.correlation.testing.DoctorPatient;
import io.flamespan.correlation.testing.FakeProfiler;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.SharedHost;
import io.flamespan.correlation.testing.StatusText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promise: another user of the host can neither read data from the plug-in nor inject any. Each
 * attack is also run by a permitted user, to show that it would work.
 */
@NotInEmulation("the kernel refuses these attacks on every CPU")
class OtherUserTest {
  private static final int ROOT = 0;
  private static final int EPERM = 1;
  private static final int EACCES = 13;
  private static final int ENOSYS = 38;
  private static final Pattern WRITABLE = Pattern.compile("(?m)^([0-9a-f]+)-[0-9a-f]+ rw-p");

  @AutoClose private static SharedHost host;

  @BeforeAll
  static void createHost() {
    host = new SharedHost();
  }

  @BeforeEach
  void clear() {
    host.clear();
  }

  private static List<Path> filesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.sorted().toList();
    }
  }

  private static Path only(Path directory, String name) throws IOException {
    List<Path> found =
        filesIn(directory).stream()
            .filter(file -> file.getFileName().toString().matches(name))
            .toList();
    assertThat(found).as(name).hasSize(1);
    return found.get(0);
  }

  /** Waits until the plug-in has published its process context after its start. */
  private static void awaitStart(long pid) {
    await()
        .ignoreExceptions()
        .until(() -> StatusText.of(pid).get("process.context").equals("published"));
  }

  /** Returns each file with number, owner, mode, change time and size. */
  private static Map<Path, Map<String, Object>> state(Path directory) throws IOException {
    Map<Path, Map<String, Object>> state = new TreeMap<>();
    for (Path file : filesIn(directory)) {
      String attributes = "unix:ino,uid,mode,ctime,size";
      state.put(file, Files.readAttributes(file, attributes, LinkOption.NOFOLLOW_LINKS));
    }
    return state;
  }

  private static void assertRefused(Object... attack) {
    assertThat(host.attack(RIVAL, attack)).as(List.of(attack).toString()).isIn(EPERM, EACCES);
  }

  @ParameterizedTest
  @ValueSource(ints = {USER, ROOT})
  void files_ofARunningProcess_areClosedToOthers(int user) throws IOException {
    try (DoctorPatient patient = DoctorPatient.start(host.jvm(user).command(PatientApp.class))) {
      Path directory = host.privateDirectory(user);
      awaitStart(patient.pid());
      Path socket = only(directory, "profiler-.*[.]sock");
      Path library = only(directory, "elastic-jvmti-.*[.]so");
      String inRoot = "/proc/" + patient.pid() + "/root" + socket;
      // Ordered so that for a permitted user each attack still works after the previous ones.
      List<Object[]> attacks =
          List.of(
              new Object[] {"list", directory},
              new Object[] {"list", library.getParent()},
              new Object[] {"read", library},
              new Object[] {"write", library},
              new Object[] {"chmod", library, "600"},
              new Object[] {"chmod", directory, "700"},
              new Object[] {"connect", socket},
              new Object[] {"send", socket},
              new Object[] {"send", inRoot},
              new Object[] {"create", directory.resolve("new")},
              new Object[] {"rename", directory.resolve("new"), directory.resolve("other")},
              new Object[] {"unlink", directory.resolve("other")},
              new Object[] {"symlink", "/etc/passwd", directory.resolve("l")},
              new Object[] {"bind", directory.resolve("b.sock")},
              new Object[] {"link", library, host.temporary.resolve("copy")},
              new Object[] {"rename", library, library.resolveSibling("x")},
              new Object[] {"unlink", socket},
              new Object[] {"rename", directory, host.temporary.resolve("moved")});
      Map<Path, Map<String, Object>> before = state(directory);
      attacks.forEach(OtherUserTest::assertRefused);
      Path his = host.temporary.resolve("his");
      assertThat(host.attack(RIVAL, "mkdir", his, "777")).isZero();
      assertRefused("rename", his, directory);

      assertThat(state(directory)).isEqualTo(before);
      for (Object[] attack : attacks) {
        assertThat(host.attack(user, attack)).as(List.of(attack).toString()).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {USER, ROOT})
  void memory_ofARunningProcess_isClosedToOthers(int user) throws IOException {
    try (DoctorPatient patient = DoctorPatient.start(host.jvm(user).command(PatientApp.class))) {
      String pid = Long.toString(patient.pid());
      Path proc = Path.of("/proc", pid);
      var writable = WRITABLE.matcher(Files.readString(proc.resolve("maps")));
      assertThat(writable.find()).isTrue();
      List<Object[]> attacks = new ArrayList<>();
      for (String file : List.of("maps", "mem", "environ", "pagemap", "auxv", "syscall")) {
        if (Files.exists(proc.resolve(file))) { // not on all kernels
          attacks.add(new Object[] {"read", proc.resolve(file)});
        }
      }
      attacks.add(new Object[] {"read-write", proc.resolve("mem")});
      attacks.add(new Object[] {"memory", pid, writable.group(1)});
      attacks.add(new Object[] {"list", proc.resolve("fd")});
      attacks.add(new Object[] {"list", proc.resolve("map_files")});
      attacks.add(new Object[] {"list", proc.resolve("root")});
      if (host.attack(ROOT, "descriptor", pid, "0") != ENOSYS) {
        attacks.add(new Object[] {"descriptor", pid, "0"});
      }
      attacks.add(new Object[] {"signal", pid});
      attacks.add(new Object[] {"trace", pid});
      attacks.forEach(OtherUserTest::assertRefused);

      assumeTrue(
          host.attack(ROOT, "trace", pid) == 0,
          "root may not trace processes here: refused to others, but not shown to be possible");
      for (Object[] attack : attacks) {
        assertThat(host.attack(ROOT, attack)).as(List.of(attack).toString()).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"closed directory", "open directory", "link to his", "link to ours", "fifo"})
  void privateDirectory_takenByAnother_turnsThePluginOff(String taken) throws IOException {
    Path place = host.privateDirectory(USER);
    Path his = host.createDirectory("his " + taken, RIVAL, "rwxrwxrwx");
    Path ours = host.createDirectory("ours " + taken, USER, "rwx------");
    Object[] attack =
        switch (taken) {
          case "closed directory" -> new Object[] {"mkdir", place, "755"};
          case "open directory" -> new Object[] {"mkdir", place, "777"};
          case "link to his" -> new Object[] {"symlink", his, place};
          case "link to ours" -> new Object[] {"symlink", ours, place};
          default -> new Object[] {"mkfifo", place};
        };
    assertThat(host.attack(RIVAL, attack)).isZero();
    ChildJvm.Result result = host.jvm(USER).run(PingApp.class).succeeded();
    assertThat(result.output()).contains("current: true").doesNotContain("Flamespan is on");
    assertThat(result.output().lines().filter(line -> line.contains("Flamespan is off")))
        .singleElement()
        .asString()
        .contains(place.toString(), CorrelatedSdk.PREFIX + "socket.dir");
    assertThat(filesIn(host.temporary)).containsExactly(host.temporary, place);
    assertThat(his).isEmptyDirectory();
    assertThat(ours).isEmptyDirectory();
  }

  /** The owner of a file, and anyone with write permission, can change it after the comparison. */
  @Test
  void library_thatOthersCouldChange_isReplaced() throws IOException {
    assertOn(host.jvm(USER).run(PingApp.class));
    Path place = host.privateDirectory(USER);
    List<Path> libraries = SharedHost.libraries(place).stream().map(place::resolve).toList();
    assertThat(libraries).hasSize(3);
    Files.setAttribute(libraries.get(0), "unix:uid", RIVAL);
    Files.setAttribute(libraries.get(1), "unix:mode", 0100622);
    Files.setAttribute(libraries.get(2), "unix:mode", 0100666);
    assertOn(host.jvm(USER).run(PingApp.class));

    for (Path library : libraries) {
      assertThat(Files.getAttribute(library, "unix:uid")).isEqualTo(USER);
      assertThat(Files.getAttribute(library, "unix:mode")).isEqualTo(0100600);
    }
  }

  private static void assertOn(ChildJvm.Result result) throws IOException {
    result.succeeded();
    assertThat(result.output()).contains("Flamespan is on").doesNotContain("WARNING");
    assertThat(FakeProfiler.sockets(host.temporary)).isEmpty();
  }
}
