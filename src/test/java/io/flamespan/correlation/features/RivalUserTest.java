/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.features;

import static io.flamespan.correlation.testing.SharedHost.RIVAL;
import static io.flamespan.correlation.testing.SharedHost.USER;
import static org.assertj.core.api.Assertions.assertThat;

import io.flamespan.correlation.apps.PingApp;
import io.flamespan.correlation.internal.nativelib.RivalledApp;
import io.flamespan.correlation.testing.ChildJvm;
import io.flamespan.correlation.testing.NativeProgram;
import io.flamespan.correlation.testing.NotInEmulation;
import io.flamespan.correlation.testing.RunningCommand;
import io.flamespan.correlation.testing.SharedHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Promise: if another user occupies the place of the private directory at any moment, the plug-in
 * is off or uses a directory that belongs to its user. Use {@code -Dtest.races=N} for more rounds.
 */
@NotInEmulation("the kernel refuses these attacks on every CPU")
class RivalUserTest {
  private static final int RACES = Integer.getInteger("test.races", 100);
  private static final int STARTS = Math.max(3, RACES / 100);

  @AutoClose private SharedHost host;
  private Path precious;

  @BeforeEach
  void createHost() {
    host = new SharedHost();
  }

  /** Starts the rival. Its directories, links and file contain foreign libraries. */
  private RunningCommand startRival() throws IOException {
    // The rival can learn the written files from a start of the plug-in as another user.
    assertThat(host.jvm(USER).run(PingApp.class).output()).contains("Flamespan is on");
    Path place = host.privateDirectory(USER);
    Path his = host.createDirectory("his", RIVAL, "rwxrwxrwx");
    Path foreign =
        NativeProgram.library("gcc", his.resolve("a.so"), NativeProgram.source("foreign.c"));
    assertThat(NativeProgram.run(List.of("true"), "LD_PRELOAD", foreign.toString()).text())
        .contains("FOREIGN");
    Path prepared = Files.createDirectory(his.resolve("prepared"));
    SharedHost.plant(
        foreign,
        SharedHost.libraries(place),
        prepared.resolve("directory"),
        prepared.resolve("target"));
    Files.createSymbolicLink(prepared.resolve("link"), prepared.resolve("target"));
    // A directory of the attacked user, but not the private one.
    precious = host.createDirectory("precious", USER, "rwx------");
    Files.createSymbolicLink(prepared.resolve("link2"), precious);
    Files.createFile(prepared.resolve("file"));
    NativeProgram.run(List.of("chown", "-hR", Integer.toString(RIVAL), his.toString()));
    NativeProgram.run(List.of("chmod", "-R", "a+rwX", prepared.toString()));
    host.clear();
    List<Object> attack = new ArrayList<>(List.of("rival", place));
    for (String name : List.of("directory", "link", "file", "link2")) {
      attack.add(prepared.resolve(name));
    }
    RunningCommand rival = RunningCommand.start(host.command(RIVAL, attack.toArray()));
    rival.awaitLine("started");
    return rival;
  }

  private void assertAttacked(RunningCommand rival) {
    rival.goOn();
    Map<String, Long> counts = rival.numbers("placed");
    assertThat(counts.get("placed")).isPositive();
    assertThat(counts.get("exchanged")).isPositive();
    assertThat(precious).isEmptyDirectory();
  }

  private static void assertIsOwn(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        Object owner = Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        assertThat(owner).as(file.toString()).isEqualTo(USER);
      }
    }
  }

  @Test
  void starts_whileTheDirectoryIsExchanged_areOffOrUseAnOwnedOne() throws IOException {
    try (RunningCommand rival = startRival()) {
      for (int i = 0; i < STARTS; i++) {
        ChildJvm.Result result = host.jvm(USER).run(PingApp.class).succeeded();
        assertThat(result.output()).contains("current: true").doesNotContain("FOREIGN");
        if (result.output().contains("Flamespan is on")) {
          assertThat(result.output()).doesNotContain("Flamespan is off");
          assertIsOwn(host.privateDirectory(USER));
          host.remove(host.privateDirectory(USER));
        } else {
          assertThat(result.output()).containsOnlyOnce("Flamespan is off");
        }
      }
      assertAttacked(rival);
    }
  }

  @Test
  void directories_whileTheyAreExchanged_areNeverForeign() throws IOException {
    try (RunningCommand rival = startRival()) {
      Path home = host.createDirectory("home", USER, "rwx------");
      ChildJvm.Result result =
          host.jvm(USER)
              .property("user.home", home.toString())
              .run(RivalledApp.class, Integer.toString(RACES), Integer.toString(USER))
              .succeeded();
      assertThat(result.output()).contains("own=").doesNotContain("FOREIGN");
      assertAttacked(rival);
    }
  }

  /** The directory may be searched by others, and the umask removes no permissions. */
  @Test
  void socket_whileItIsBound_isClosedToOthers() throws IOException {
    Path home = host.createDirectory("home", USER, "rwx------");
    Path sockets = host.createDirectory("s", USER, "rwxr-xr-x");
    ChildJvm jvm =
        host.jvm(USER)
            .under("sh", "-c", "umask 0; exec \"$@\"", "sh")
            .property("user.home", home.toString());
    String many = Integer.toString(RACES * 30);
    try (RunningCommand user =
        RunningCommand.start(
            jvm.command(RivalledApp.class, many, Integer.toString(USER), sockets.toString()))) {
      String socket = user.awaitLine("socket=").substring("socket=".length());
      try (RunningCommand rival = RunningCommand.start(host.command(RIVAL, "storm", socket))) {
        rival.awaitLine("started");
        user.goOn();
        user.awaitLine("own=");
        rival.goOn();
        Map<String, Long> counts = rival.numbers("connected");
        assertThat(counts).containsEntry("connected", 0L);
        assertThat(counts.get("refused")).isPositive();
      }
    }
  }
}
