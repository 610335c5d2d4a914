/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Programs of the system, and the kernel's data about a process. */
final class Proc {
  // The load names its threads like this. On a busy machine, more of them are alive at once.
  private static final String REQUEST_THREAD = "request";

  /** Runs a command to its end. Its output only matters if it fails. */
  static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  static void signal(long pid, String name) throws IOException {
    run("kill", "-" + name, String.valueOf(pid));
  }

  /** Returns a number from /proc/PID/status. */
  static long status(long pid, String key) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith(key + ":"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow(() -> new IOException("no " + key + " of process " + pid));
  }

  /** Returns how many threads the process has, without the short-lived ones that serve requests. */
  static long lastingThreads(long pid) throws IOException {
    long threads = 0;
    try (DirectoryStream<Path> tasks =
        Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
      for (Path task : tasks) {
        if (!name(task).equals(REQUEST_THREAD)) {
          threads++;
        }
      }
    }
    return threads;
  }

  private static String name(Path task) {
    try {
      return Files.readString(task.resolve("comm")).strip();
    } catch (IOException e) {
      return REQUEST_THREAD; // the others live as long as the process
    }
  }

  static long fileDescriptors(long pid) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return files.count();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Returns the number of file mappings. Excludes the pages of ZGC's heap, which are separate
   * mappings whose number varies.
   */
  static long namedMappings(long pid) throws IOException {
    List<String> lines =
        Files.readAllLines(Path.of("/proc/" + pid + "/maps"), StandardCharsets.ISO_8859_1);
    return lines.stream()
        .filter(line -> line.contains("/") && !line.contains("/memfd:java_heap"))
        .count();
  }

  private Proc() {}
}
