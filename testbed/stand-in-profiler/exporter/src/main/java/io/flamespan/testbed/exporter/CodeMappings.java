/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.exporter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The executable mappings of a process. They are read again if an address is unknown, once a second
 * at most, and every ten seconds, because another library may have replaced an unloaded one. Not
 * thread-safe.
 */
final class CodeMappings {
  private static final Pattern LINE =
      Pattern.compile(
          "(\\p{XDigit}+)-(\\p{XDigit}+) ..x. (\\p{XDigit}+) \\S+ (\\d+) +(.+?)( \\(deleted\\))?");
  private static final long LOOK_AGAIN_NANOS = 1_000_000_000L;
  private static final long OUT_OF_DATE_NANOS = 10 * LOOK_AGAIN_NANOS;

  /**
   * An executable mapping.
   *
   * @param path as the process sees it, or a name in brackets
   */
  record CodeMapping(long start, long end, long offset, long inode, String path, boolean deleted) {}

  private final Path process;
  private final TreeMap<Long, CodeMapping> mappings = new TreeMap<>();
  private final Map<CodeMapping, String> buildIds = new HashMap<>();
  private long readNanos = System.nanoTime() - OUT_OF_DATE_NANOS;

  CodeMappings(long pid) {
    process = Path.of("/proc", Long.toString(pid));
  }

  /** Returns the mapping of an instruction, or null if it has no name. */
  CodeMapping find(long address) {
    long age = System.nanoTime() - readNanos;
    CodeMapping found = known(address);
    if (age >= OUT_OF_DATE_NANOS || (found == null && age >= LOOK_AGAIN_NANOS)) {
      read();
      found = known(address);
    }
    return found;
  }

  private CodeMapping known(long address) {
    Map.Entry<Long, CodeMapping> before = mappings.floorEntry(address);
    return before != null && address < before.getValue().end() ? before.getValue() : null;
  }

  private void read() {
    readNanos = System.nanoTime();
    mappings.clear();
    try {
      for (String line : Files.readAllLines(process.resolve("maps"))) {
        Matcher field = LINE.matcher(line);
        if (field.matches()) {
          long start = Long.parseUnsignedLong(field.group(1), 16);
          mappings.put(
              start,
              new CodeMapping(
                  start,
                  Long.parseUnsignedLong(field.group(2), 16),
                  Long.parseUnsignedLong(field.group(3), 16),
                  Long.parseLong(field.group(4)),
                  field.group(5),
                  field.group(6) != null));
        }
      }
    } catch (IOException e) {
      // The process has ended, or may not be read: its mappings remain unknown.
    }
  }

  /** Returns the GNU build id of the mapped file in hex. It is empty if missing or not readable. */
  String buildId(CodeMapping mapping) {
    return buildIds.computeIfAbsent(mapping, this::readBuildId);
  }

  private String readBuildId(CodeMapping mapping) {
    // A memfd cannot be opened through its path; the real profiler also skips it.
    if (mapping.inode() == 0 || mapping.path().startsWith("/memfd:")) {
      return "";
    }
    // This link leads to the mapped file even after the file was deleted or replaced.
    Path link = process.resolve("map_files/%x-%x".formatted(mapping.start(), mapping.end()));
    try {
      return BuildId.read(link);
    } catch (IOException e) {
      return readBuildIdByPath(mapping);
    }
  }

  private String readBuildIdByPath(CodeMapping mapping) {
    Path file = process.resolve("root" + mapping.path());
    try {
      boolean same =
          !mapping.deleted() && Files.getAttribute(file, "unix:ino").equals(mapping.inode());
      return same ? BuildId.read(file) : "";
    } catch (IOException e) {
      return "";
    }
  }
}
