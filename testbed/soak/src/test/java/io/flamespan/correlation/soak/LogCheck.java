/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts the plug-in's log lines by kind. */
final class LogCheck {
  private static final Pattern PLUGIN = Pattern.compile("^[\\d:.]+ [A-Z]+ (io\\.flamespan\\..*)");
  private static final int CONSTANT = 3;

  private final Map<String, Integer> kinds = new TreeMap<>();
  private long crashes;

  void read(Path log) throws IOException {
    for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
      Matcher plugin = PLUGIN.matcher(line);
      if (plugin.find()) {
        kinds.merge(kind(plugin.group(1)), 1, Integer::sum);
      }
      if (line.contains("# A fatal error") || line.contains("OutOfMemoryError")) {
        crashes++;
      }
    }
  }

  /** Removes ids, numbers and paths. */
  private static String kind(String line) {
    String message = line.substring(line.lastIndexOf('.', line.indexOf(' ')) + 1);
    String kind = message.replaceAll("/[^ ,)]*", "/…").replaceAll("[0-9a-f]*\\d[0-9a-f]*", "N");
    return kind.substring(0, Math.min(kind.length(), 100));
  }

  /** Each SDK has a separate limit, because the plug-in starts again. */
  void check(long seconds, long starts, List<String> problems) {
    long limit = seconds / 60 + starts + CONSTANT;
    kinds.forEach(
        (kind, lines) -> {
          if (lines > limit) {
            problems.add(lines + " log lines, more than " + limit + ": " + kind);
          }
        });
    if (crashes > 0) {
      problems.add("the log reports a crash");
    }
  }

  Map<String, Integer> kinds() {
    return kinds;
  }
}
