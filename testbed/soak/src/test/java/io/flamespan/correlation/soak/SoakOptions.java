/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** The processes to run, their duration, and the permissions on this machine. */
record SoakOptions(
    long seconds, long seed, Path standIn, Path directory, boolean root, List<String> leftOut) {
  private static final int VIRTUAL_THREADS = 21;
  private static final List<String> COLLECTORS =
      List.of("G1", "Z", "Shenandoah", "Serial", "Parallel");

  static SoakOptions read() throws IOException {
    String seed = System.getProperty("soak.seed", "");
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    SoakOptions options =
        new SoakOptions(
            Math.round(Double.parseDouble(System.getProperty("soak.minutes", "3")) * 60),
            seed.isEmpty() ? System.nanoTime() & 0xffff_ffffL : Long.parseLong(seed),
            Path.of(System.getProperty("soak.stand-in")).toAbsolutePath(),
            // Socket paths must be short.
            Files.createDirectory(Path.of("/tmp/soak-" + ProcessHandle.current().pid())),
            root,
            new CopyOnWriteArrayList<>());
    if (!root) {
      options.leftOut.add("a full directory for temporary files, and CPU limits, need root");
    }
    return options;
  }

  /** Returns the java command of this JVM. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /**
   * Returns a java command that supports virtual threads: this JVM's, that of the newest JDK, or
   * none.
   */
  List<String> javaWithVirtualThreads() throws IOException {
    if (Runtime.version().feature() >= VIRTUAL_THREADS) {
      return List.of(java());
    }
    int newest = 0;
    List<String> found = List.of();
    Path directory = Path.of("/usr/lib/jvm");
    try (Stream<Path> homes = Files.isDirectory(directory) ? Files.list(directory) : Stream.of()) {
      for (Path home : homes.toList()) {
        int version = version(home);
        if (version >= VIRTUAL_THREADS && version > newest) {
          newest = version;
          found = List.of(home.resolve("bin/java").toString());
        }
      }
    }
    if (found.isEmpty()) {
      leftOut.add("virtual threads need a JDK 21 or later in JAVA_HOME or /usr/lib/jvm");
    }
    return found;
  }

  private static int version(Path home) throws IOException {
    Path release = home.resolve("release");
    if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isReadable(release)) {
      return 0;
    }
    return Files.readAllLines(release).stream()
        .filter(line -> line.startsWith("JAVA_VERSION=\""))
        .mapToInt(line -> Integer.parseInt(line.replaceAll("\\D*(\\d+).*", "$1")))
        .findFirst()
        .orElse(0);
  }

  /** Returns the options for the collectors that this java supports. */
  List<String> collectors(String java) throws IOException, InterruptedException {
    List<String> has = new ArrayList<>();
    for (String collector : COLLECTORS) {
      String option = "-XX:+Use" + collector + "GC";
      Process process =
          new ProcessBuilder(java, option, "-version")
              .redirectErrorStream(true)
              .redirectOutput(new File("/dev/null"))
              .start();
      if (process.waitFor() == 0) {
        has.add(option);
      } else {
        leftOut.add(java + " has no " + collector + "GC");
      }
    }
    return has;
  }
}
