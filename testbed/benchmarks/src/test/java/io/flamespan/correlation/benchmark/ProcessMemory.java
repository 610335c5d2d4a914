/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the kernel and the JVM know of a running process. Sizes are in kB. */
final class ProcessMemory {
  /** The options of the measured JVMs. */
  static final List<String> JVM_OPTIONS = List.of("-Xmx128m", "-XX:+UseSerialGC");

  private static final long MAX_HEAP = 128L << 20;
  private static final long FOUR_GB = 4L << 30;

  private static final Pattern MAPPING = Pattern.compile("([0-9a-f]+)-[0-9a-f]+ ");
  private static final Pattern COMMITTED =
      Pattern.compile("^-\\s+(.*?) \\(reserved=\\d+KB, committed=(\\d+)KB", Pattern.MULTILINE);

  private final Path proc;

  ProcessMemory(long pid) {
    proc = Path.of("/proc", Long.toString(pid));
  }

  long residentKb() throws IOException {
    return residentKb(0, Long.MAX_VALUE);
  }

  /** Returns the resident part of the Java heap, which such a JVM places below 4 GB. */
  long residentHeapKb() throws IOException {
    return residentKb(FOUR_GB - MAX_HEAP, FOUR_GB);
  }

  private long residentKb(long from, long to) throws IOException {
    long resident = 0;
    boolean counts = false;
    for (String line : Files.readAllLines(proc.resolve("smaps"))) {
      Matcher mapping = MAPPING.matcher(line);
      if (mapping.lookingAt()) {
        long begin = Long.parseUnsignedLong(mapping.group(1), 16);
        counts = begin >= from && begin < to;
      } else if (counts && line.startsWith("Rss:")) {
        resident += Long.parseLong(line.replaceAll("\\D+", ""));
      }
    }
    return resident;
  }

  long descriptors() throws IOException {
    return count("fd");
  }

  long threads() throws IOException {
    return count("task");
  }

  private long count(String directory) throws IOException {
    try (Stream<Path> entries = Files.list(proc.resolve(directory))) {
      return entries.count();
    }
  }

  /**
   * Returns what the JVM has committed outside the Java heap. The process must track its native
   * memory, whose own cost is left out.
   */
  long nativeKb() throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    List<String> command =
        List.of(jcmd.toString(), proc.getFileName().toString(), "VM.native_memory", "summary");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String summary =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .map(String::strip)
            .collect(Collectors.joining("\n"));
    process.waitFor();
    long committed = 0;
    Matcher area = COMMITTED.matcher(summary);
    while (area.find()) {
      boolean counts = !List.of("Java Heap", "Native Memory Tracking").contains(area.group(1));
      committed += counts ? Long.parseLong(area.group(2)) : 0;
    }
    return committed;
  }
}
