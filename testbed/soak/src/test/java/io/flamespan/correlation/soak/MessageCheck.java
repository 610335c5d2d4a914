/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares the messages that the kernel accepted with the stack trace ids on the spans. */
final class MessageCheck {
  // Messages that arrive after the last read of the socket, when an SDK is closed.
  private static final int UNREAD_OF_A_CLOSE = 4;

  // Occasionally the process is stopped at that moment, and loses the kernel's queue.
  private static final int UNREAD_ONCE = 10;

  /** Messages by local root span and stack trace id: the number sent minus the number on spans. */
  private final Map<String, Integer> open = new HashMap<>();

  private final Set<String> excused = new HashSet<>();
  private long sent;
  private long attached;
  private long unread;
  private long uncounted;

  void read(Path ledger, List<Path> sentFiles) throws IOException {
    for (Path file : sentFiles) {
      readSent(file);
    }
    try (BufferedReader lines = Files.newBufferedReader(ledger)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ");
        String span = words[1] + ' ' + words[2];
        if (words[0].equals("U")) {
          excused.add(span);
        }
        for (int i = 3; i < words.length; i++) {
          open.merge(span + ' ' + words[i], -1, MessageCheck::sum);
          attached++;
        }
      }
    }
  }

  /** A killed profiler may have left half a line. */
  private void readSent(Path file) throws IOException {
    String text = Files.readString(file);
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n")) {
      if (!line.isEmpty()) {
        open.merge(line, 1, MessageCheck::sum);
        sent++;
      }
    }
  }

  private static Integer sum(Integer a, Integer b) {
    return a + b == 0 ? null : Integer.valueOf(a + b);
  }

  void check(Map<String, Long> counts, int killedProfilers, List<String> problems) {
    long foreign = 0;
    long missing = 0;
    long missingButExcused = 0;
    for (Map.Entry<String, Integer> entry : open.entrySet()) {
      if (entry.getValue() < 0) {
        foreign -= entry.getValue();
      } else if (excused.contains(entry.getKey().substring(0, entry.getKey().lastIndexOf(' ')))) {
        missingButExcused += entry.getValue();
      } else {
        missing += entry.getValue();
      }
    }
    long unknown = counts.getOrDefault("messages.correlation.unknown_local_root", 0L);
    long decoded = counts.getOrDefault("messages.correlation.accepted", 0L) + unknown;
    long dropped = counts.getOrDefault("stack_trace_ids.dropped", 0L);
    long unreadLimit = UNREAD_OF_A_CLOSE * counts.getOrDefault("closes", 0L) + UNREAD_ONCE;
    unread = Math.max(0, sent - decoded);
    uncounted = decoded - attached - unknown - dropped;
    if (foreign > killedProfilers) {
      problems.add(foreign + " stack trace ids are on the wrong spans");
    }
    if (missing > unknown + dropped + unreadLimit) {
      problems.add(missing + " messages are not on their spans, " + unknown + " were unknown");
    }
    if (unread > unreadLimit || decoded - sent > killedProfilers) {
      problems.add(sent + " messages were accepted by the kernel, " + decoded + " were read");
    }
    if (uncounted < 0 || uncounted > missingButExcused + killedProfilers) {
      problems.add(
          uncounted
              + " messages are neither on spans nor counted, and "
              + missingButExcused
              + " were for spans that did not wait");
    }
    if (counts.getOrDefault("messages.invalid.dropped", 0L) > 0) {
      problems.add("messages were invalid");
    }
    if (attached == 0) {
      problems.add("no span has a stack trace id");
    }
  }

  long sent() {
    return sent;
  }

  long attached() {
    return attached;
  }

  long unread() {
    return unread;
  }

  long uncounted() {
    return uncounted;
  }
}
