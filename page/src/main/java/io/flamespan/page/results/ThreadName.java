/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.results;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Names of threads without what is numbered anew in each process, and one name for all threads of
 * the garbage collector, of each compiler of the JVM, and of the profiler. Linux cuts names after
 * 15 bytes. The statements for ClickHouse have the same patterns.
 */
public final class ThreadName {
  /** By what a name begins with, in RE2's syntax. */
  public static final Map<String, String> GROUPS = new LinkedHashMap<>();

  static {
    GROUPS.put("C1 ?Compiler", "JIT C1");
    GROUPS.put("C2 ?Compiler", "JIT C2");
    GROUPS.put("JVMCI", "JIT JVMCI");
    GROUPS.put(
        "(?:GC |G1 |ParGC|ParallelGC|Gang worker|Concurrent Mark|CMS"
            + " |Shenandoah|[XZ](?:Director|Driver|Stat|Worker|Uncommitter|Unmapper))",
        "GC");
    GROUPS.put("(?:flamespan-|[Aa]sync-profiler)", "profiler");
  }

  /** Ids in hexadecimal digits, and numbers. */
  public static final String NUMBERED =
      "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|@[0-9a-f]{4,8}\\b|\\b(?:0x)?[0-9a-f]{8,}\\b|[0-9]+";

  private static final Map<Pattern, String> PATTERNS = new LinkedHashMap<>();
  private static final Pattern CUT = Pattern.compile("-$"); // before a number beyond 15 bytes
  private static final Pattern NUMBER = Pattern.compile(NUMBERED);

  static {
    GROUPS.forEach((pattern, name) -> PATTERNS.put(Pattern.compile(pattern), name));
  }

  private ThreadName() {}

  public static String of(String name) {
    if (name.isEmpty()) {
      return "(no name)";
    }
    return PATTERNS.entrySet().stream()
        .filter(group -> group.getKey().matcher(name).lookingAt())
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseGet(() -> CUT.matcher(NUMBER.matcher(name).replaceAll("#")).replaceFirst("-#"));
  }
}
