/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The plug-in's threads in another process, as the kernel sees them. */
final class PluginThreads {
  /** What the names of all of them begin with. */
  static final String PREFIX = "flamespan-";

  private static final int LEAST = 2; // a receiver, a decoder, and one for each span processor
  private static final int POLICY = 41 - 3; // counted from the field after the name
  private static final String FIFO = "1";

  private final List<Path> threads = new ArrayList<>();

  PluginThreads(long pid) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
      for (Path thread : all.toList()) {
        if (Files.readString(thread.resolve("comm")).startsWith(PREFIX)) {
          threads.add(thread);
        }
      }
    }
    if (threads.size() < LEAST) {
      throw new IOException("the plug-in has " + threads.size() + " threads, fewer than " + LEAST);
    }
  }

  /** The total CPU time, and how often the threads were scheduled. */
  record Use(long nanos, long timeslices) {
    static final Use NONE = new Use(0, 0);

    static Use of(Path thread) throws IOException {
      String[] fields = Files.readString(thread.resolve("schedstat")).strip().split(" ");
      return new Use(Long.parseLong(fields[0]), Long.parseLong(fields[2]));
    }

    Use plus(Use other) {
      return new Use(nanos + other.nanos, timeslices + other.timeslices);
    }

    Use minus(Use other) {
      return new Use(nanos - other.nanos, timeslices - other.timeslices);
    }
  }

  Use use() throws IOException {
    Use sum = Use.NONE;
    for (Path thread : threads) {
      sum = sum.plus(Use.of(thread));
    }
    return sum;
  }

  /** Returns whether the receiver's thread has real-time priority. */
  boolean isAnyRealTime() throws IOException {
    for (Path thread : threads) {
      String stat = Files.readString(thread.resolve("stat"));
      if (stat.substring(stat.lastIndexOf(')') + 2).split(" ")[POLICY].equals(FIFO)) {
        return true;
      }
    }
    return false;
  }
}
