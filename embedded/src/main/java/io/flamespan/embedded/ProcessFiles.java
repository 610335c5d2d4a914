/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the kernel says about this process, and about its limits. */
final class ProcessFiles {
  private static final Pattern THREADS = Pattern.compile("(?m)^Threads:\\s+(\\d+)$");
  private static final Pattern PENDING = Pattern.compile("(?m)^SigQ:\\s+(\\d+)/\\d+$");
  private static final Pattern MAX_PENDING = Pattern.compile("(?m)^SigQ:\\s+\\d+/(\\d+)$");
  private static final Pattern MAX_FILES =
      Pattern.compile("(?m)^Max open files\\s+(\\d+|unlimited)\\s");
  private static final int USER_TIME = 11; // after the name of the program
  private static final int SYSTEM_TIME = 12;
  private static final long MILLIS_PER_TICK = 10; // for programs, whatever the kernel uses

  private final Path directory;

  /** Reads the files of a process, such as {@code /proc/self}. */
  ProcessFiles(Path directory) {
    this.directory = directory;
  }

  /** Returns the CPU time of all threads, including ended ones. */
  long cpuMillis() throws IOException {
    String stat = read("stat");
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return MILLIS_PER_TICK
        * (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]));
  }

  long threads() throws IOException {
    return number("status", THREADS);
  }

  /** Returns how many signals of this user's processes wait, timers included. */
  long pendingSignals() throws IOException {
    return number("status", PENDING);
  }

  long maxPendingSignals() throws IOException {
    return number("status", MAX_PENDING);
  }

  long openFiles() throws IOException {
    long count = 0;
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(directory.resolve("fd"))) {
      for (Path ignored : descriptors) {
        count++;
      }
    }
    return count;
  }

  long maxOpenFiles() throws IOException {
    return number("limits", MAX_FILES);
  }

  private long number(String file, Pattern line) throws IOException {
    Matcher found = line.matcher(read(file));
    if (!found.find()) {
      throw new IOException(directory.resolve(file) + " lacks " + line);
    }
    String number = found.group(1);
    return number.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(number);
  }

  private String read(String file) throws IOException {
    return new String(Files.readAllBytes(directory.resolve(file)), StandardCharsets.ISO_8859_1);
  }
}
