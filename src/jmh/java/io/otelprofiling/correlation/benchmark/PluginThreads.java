/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The threads of the plug-in in another process, as the kernel sees them. */
final class PluginThreads {
  // Their names differ only after the 15 bytes that the kernel keeps.
  private static final String KERNEL_NAME = "otel-profiling-";
  private static final int LEAST = 2; // one receives, one decodes, and one for each span processor
  private static final int POLICY = 41 - 3; // of the fields behind the name
  private static final String FIFO = "1";

  private final List<Path> threads = new ArrayList<>();

  PluginThreads(long pid) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
      for (Path thread : all.toList()) {
        if (Files.readString(thread.resolve("comm")).strip().equals(KERNEL_NAME)) {
          threads.add(thread);
        }
      }
    }
    if (threads.size() < LEAST) {
      throw new IOException("the plug-in has " + threads.size() + " threads, fewer than " + LEAST);
    }
  }

  /** The sums of the CPU time and of how often the threads got a CPU. */
  record Use(long nanos, long timeslices) {}

  Use use() throws IOException {
    long nanos = 0;
    long timeslices = 0;
    for (Path thread : threads) {
      String[] fields = Files.readString(thread.resolve("schedstat")).strip().split(" ");
      nanos += Long.parseLong(fields[0]);
      timeslices += Long.parseLong(fields[2]);
    }
    return new Use(nanos, timeslices);
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
