/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.stress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The resources of this process, without those that the tests use temporarily. */
record Growth(long heapBytes, long residentBytes, long files, long threads) {
  static Growth now() {
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return new Growth(heap, resident(), openFiles(), liveThreads());
  }

  private static long liveThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !thread.getName().matches("process reaper.*|awaitility-thread"))
        .count();
  }

  private static long resident() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      String line = lines.filter(l -> l.startsWith("VmRSS:")).findFirst().orElseThrow();
      return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String linkOf(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return ""; // the descriptor of the listing itself
    }
  }

  /**
   * Counts all files except libraries, which are opened when a class is first needed, and those of
   * the limits of memory and CPUs, which the JVM reads now and then.
   */
  private static long openFiles() {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.filter(file -> !linkOf(file).matches(".*\\.jar|/sys/fs/cgroup/.*")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
