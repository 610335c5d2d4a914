/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import one.profiler.AsyncProfiler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Promise: where the embedded profiler cannot run, one line says why, and all spans are exported.
 */
class FaultsTest {
  @TempDir private Path directory;
  private ProfiledJvm jvm;

  @BeforeEach
  void prepare() {
    jvm = new ProfiledJvm(directory);
  }

  /** Runs the application, and asserts that exactly one warning has this text. */
  private void assertOneLine(String warning) throws Exception {
    String output = run();
    assertThat(ProfiledJvm.warnings(output)).singleElement().asString().contains(warning);
    assertThat(output).doesNotContain("\tat ");
  }

  /** Returns what the application wrote. Asserts that it exported all spans. */
  private String run() throws Exception {
    String output = jvm.run(FaultsApp.class);
    assertThat(output).contains("told: true", "exported: " + FaultsApp.SPANS);
    return output;
  }

  private void classPathWithout(String jar) {
    Predicate<String> isJar = entry -> Path.of(entry).getFileName().toString().startsWith(jar);
    jvm.classPath =
        Arrays.stream(ProfiledJvm.CLASS_PATH.split(File.pathSeparator))
            .filter(isJar.negate())
            .collect(Collectors.joining(File.pathSeparator));
  }

  private void firstOnClassPath(String file, String content) throws IOException {
    Path added = directory.resolve("classes").resolve(file);
    Files.createDirectories(added.getParent());
    Files.writeString(added, content);
    jvm.classPath = directory.resolve("classes") + File.pathSeparator + ProfiledJvm.CLASS_PATH;
  }

  /** Mounts a file system of the process's own where it puts temporary files. */
  private void temporaryFilesIn(String mountOptions, String... more) throws Exception {
    Path mounted = Files.createDirectory(directory.resolve("tmp"));
    jvm.under.addAll(
        List.of(
            "unshare",
            "--mount",
            "sh",
            "-c",
            "mount -t tmpfs -o "
                + mountOptions
                + " tmpfs "
                + mounted
                + " && "
                + Arrays.stream(more).map(command -> command + " && ").collect(Collectors.joining())
                + "exec \"$@\"",
            "sh"));
    assumeTrue(succeeds(jvm.under, "true"), "only root can mount");
    jvm.options.add("-Djava.io.tmpdir=" + mounted);
  }

  private boolean succeeds(List<String> words, String... more) throws Exception {
    List<String> command = new ArrayList<>(words);
    command.addAll(List.of(more));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("trial").toFile())
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such program
    }
  }

  @Test
  void events_thatNothingShows_areOneLine() throws Exception {
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.events=cpu,alloc,wall");

    assertOneLine("Only CPU time is sampled, because nothing would show the rest of flamespan.");
  }

  /** The Flight Recorder stops its recordings meanwhile. */
  @Test
  void exit_whileHoldersOfLocksAreLookedFor_isNoTrouble() throws Exception {
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.events=cpu,holders");
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.directory=" + directory.resolve("d"));

    assertRuns();
  }

  @Test
  void asyncProfiler_missing_isOneLine() throws Exception {
    classPathWithout("async-profiler");

    assertOneLine("The embedded profiler is off");
  }

  @Test
  void parser_missing_isOneLine() throws Exception {
    classPathWithout("jfr-converter");

    assertOneLine("The embedded profiler is off: jfr-converter is missing");
  }

  /** The classes of another version may lack what the plug-in calls, and the other way round. */
  @Test
  void version_unlikeThePluginS_isOneLineWithBothJars() throws Exception {
    firstOnClassPath("io/flamespan/embedded/version.properties", "version=9.9\n");
    firstOnClassPath("io/flamespan/embedded/EmbeddedAsyncProfiler.class", "no class");
    firstOnClassPath("io/flamespan/embedded/files/RecordedProcess.class", "no class");
    Path files = directory.resolve("files");
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.directory=" + files);
    jvm.options.add(ProfiledJvm.PREFIX + "embedded.profiler.events=cpu,alloc");
    jvm.options.add(ProfiledJvm.PREFIX + "samples.metric.attributes=http.route");

    String output = run();
    assertThat(ProfiledJvm.warnings(output))
        .singleElement()
        .asString()
        .containsPattern("profiler is off: flamespan [0-9]\\S+ in /\\S+(jar|classes) and ")
        .contains("flamespan-embedded 9.9 in " + directory.resolve("classes"))
        .contains("have different versions, give both the same one.");
    assertThat(output).doesNotContain("\tat ");
    assertThat(files).doesNotExist();
  }

  @Test
  void asyncProfiler_onTheClassPathTwice_isOneLine() throws Exception {
    firstOnClassPath("one/profiler/AsyncProfiler.class", "");

    assertOneLine("async-profiler is on the class path several times");
  }

  @Test
  void asyncProfiler_attachedBefore_isLeftAlone() throws Exception {
    Path library = directory.resolve("libasyncProfiler.so");
    String platform = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
    try (InputStream packed =
        AsyncProfiler.class.getResourceAsStream("/linux-" + platform + "/libasyncProfiler.so")) {
      Files.write(library, packed.readAllBytes());
    }
    Path recording = directory.resolve("other.jfr");
    jvm.options.add("-agentpath:" + library + "=start,event=itimer,jfr,file=" + recording);

    assertOneLine("somebody else in this process uses async-profiler");
    assertThat(recording).isNotEmptyFile();
  }

  @Test
  void inferredSpans_on_areLeftAlone() throws Exception {
    firstOnClassPath("io/opentelemetry/contrib/inferredspans/InferredSpansProcessor.class", "");
    jvm.options.add("-Dotel.inferred.spans.enabled=true");

    assertOneLine("The embedded profiler is off: inferred spans are on");
  }

  @Test
  void serviceFile_thatNamesNoClass_isOneLine() throws Exception {
    firstOnClassPath(
        "META-INF/services/io.flamespan.correlation.internal.embedded.EmbeddedProfiler",
        "com.example.Missing\n");

    assertOneLine("Provider com.example.Missing not found");
  }

  @Test
  void library_damaged_isOneLine() throws Exception {
    for (String platform : List.of("linux-x64", "linux-arm64")) {
      firstOnClassPath(platform + "/libasyncProfiler.so", "no library");
    }

    assertOneLine("The embedded profiler is off: the library of async-profiler cannot be loaded");
  }

  @Test
  void platform_unknown_isOneLine() throws Exception {
    jvm.options.add("-Dos.arch=s390x");

    assertOneLine("The embedded profiler is off: async-profiler does not know it: Unsupported");
  }

  @Test
  void temporaryDirectory_withoutRoom_isOneLineWithTheReason() throws Exception {
    temporaryFilesIn("size=200k");

    assertOneLine(
        "has room and is not mounted noexec: java.io.IOException: No space left on device");
  }

  @Test
  void temporaryDirectory_thatFillsUp_isOneLine() throws Exception {
    temporaryFilesIn("size=3m");
    jvm.options.add("-D" + FaultsApp.FILLS_UP + "=true");

    assertOneLine("is the disk full?");
  }

  @Test
  void temporaryDirectory_noexec_isOneLine() throws Exception {
    temporaryFilesIn("noexec");

    assertOneLine("is not mounted noexec");
  }

  @Test
  void temporaryDirectory_noexecAndNativeDirectory_isNoTrouble() throws Exception {
    temporaryFilesIn("noexec");
    jvm.options.add(ProfiledJvm.PREFIX + "native.dir=" + directory);

    assertRuns();
  }

  private void assertRuns() throws Exception {
    String output = run();
    assertThat(ProfiledJvm.warnings(output)).isEmpty();
    assertThat(output).contains("The embedded profiler is on");
  }

  /** As in our manifests: a read-only root, a volume that is not sticky, a user of its own. */
  @Test
  void temporaryDirectory_ofAPod_isNoTrouble() throws Exception {
    copyClassPath();
    temporaryFilesIn(
        "mode=0777",
        "mount --bind " + directory.resolve("tmp") + " /mnt", // short enough for a socket
        "mount -o remount,bind,ro /");
    jvm.options.add("-Djava.io.tmpdir=/mnt");
    jvm.under.addAll(
        List.of("setpriv", "--reuid=10001", "--regid=10001", "--clear-groups", "--no-new-privs"));
    assumeTrue(succeeds(jvm.under, "true"), "setpriv is missing");
    assertThat(succeeds(jvm.under, "touch", directory.resolve("other").toString())).isFalse();

    assertRuns();
  }

  /** The repository of Maven may be in the home of root. */
  private void copyClassPath() throws Exception {
    StringBuilder copied = new StringBuilder();
    int count = 0;
    for (String entry : ProfiledJvm.CLASS_PATH.split(File.pathSeparator)) {
      String copy = directory.resolve(++count + (entry.endsWith(".jar") ? ".jar" : "")).toString();
      assertThat(succeeds(List.of("cp", "-r", entry, copy))).isTrue();
      copied.append(copy).append(File.pathSeparator);
    }
    assertThat(succeeds(List.of("chmod", "-R", "a+rX", directory.toString()))).isTrue();
    jvm.classPath = copied.toString();
  }

  @Test
  void temporaryDirectory_readOnly_isOneLine() throws Exception {
    temporaryFilesIn("ro");

    assertOneLine("Flamespan is off: the plug-in's library for sockets cannot be loaded");
  }

  /** Forbids system calls, as containers do. */
  private void forbid(String... gccOptions) throws Exception {
    Path source = directory.resolve("forbid.c");
    try (InputStream program = FaultsTest.class.getResourceAsStream("/forbid.c")) {
      Files.write(source, program.readAllBytes());
    }
    Path forbid = directory.resolve("forbid");
    List<String> compile = new ArrayList<>(List.of("gcc", "-o", "" + forbid, "" + source));
    compile.addAll(List.of(gccOptions));
    assumeTrue(succeeds(compile), "gcc is missing");
    jvm.under.add(forbid.toString());
  }

  @Test
  void timers_forbidden_isOneLine() throws Exception {
    forbid("-DTIMERS");

    assertOneLine("The embedded profiler is off: async-profiler does not start: Failed to create");
  }

  @Test
  void files_few_areLeftToTheApplication() throws Exception {
    jvm.under.addAll(List.of("prlimit", "--nofile=1024"));
    assumeTrue(succeeds(jvm.under, "true"), "prlimit is missing");

    assertThat(run()).contains("engine ctimer");
  }

  @Test
  void perfEvents_forbidden_leaveAnotherEngine() throws Exception {
    forbid();

    String output = run();

    assertThat(output).contains("engine ctimer");
    assertThat(ProfiledJvm.warnings(output)).isEmpty();
  }
}
