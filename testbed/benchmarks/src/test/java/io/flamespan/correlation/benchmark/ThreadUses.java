/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The resources that each thread of another process has used so far, and its kind. */
final class ThreadUses {
  /** A kind of thread, identified by the 15 bytes of its name that the kernel keeps. */
  enum Kind {
    COMPILER("C1 Compiler", "C2 Compiler"),
    // The VM thread runs the pauses.
    GARBAGE_COLLECTOR("GC Thread#", "G1 ", "VM Thread"),
    PLUGIN(PluginThreads.PREFIX),
    EXPORTER("BatchSpanProces", "OkHttp", "HttpClient-"),
    APPLICATION("request-", "http-nio-", "HTTP-Dispatcher"),
    OTHER("");

    private final List<String> prefixes;

    Kind(String... prefixes) {
      this.prefixes = List.of(prefixes);
    }

    static Kind of(String name) {
      return Stream.of(values())
          .filter(kind -> kind.prefixes.stream().anyMatch(name::startsWith))
          .findFirst()
          .orElseThrow();
    }
  }

  private record OfThread(Kind kind, PluginThreads.Use use) {}

  private final Map<Path, OfThread> threads = new HashMap<>();

  ThreadUses(long pid) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc", String.valueOf(pid), "task"))) {
      for (Path thread : all.toList()) {
        try {
          Kind kind = Kind.of(Files.readString(thread.resolve("comm")).strip());
          threads.put(thread, new OfThread(kind, PluginThreads.Use.of(thread)));
        } catch (IOException e) {
          // The thread has just ended. Only compiler threads do that, and the figures exclude them.
        }
      }
    }
  }

  /** Returns the resources that each kind of thread has used since the earlier snapshot. */
  Map<Kind, PluginThreads.Use> since(ThreadUses earlier) {
    Map<Kind, PluginThreads.Use> sums = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      sums.put(kind, PluginThreads.Use.NONE);
    }
    threads.forEach(
        (path, thread) -> {
          OfThread before = earlier.threads.get(path);
          PluginThreads.Use use = before == null ? thread.use : thread.use.minus(before.use);
          sums.merge(thread.kind, use, PluginThreads.Use::plus);
        });
    return sums;
  }
}
