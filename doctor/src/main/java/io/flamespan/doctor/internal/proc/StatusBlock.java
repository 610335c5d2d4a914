/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status that the plug-in publishes in the memory of its process. A header of 24 bytes: version
 * (uint32) @0, size @4, sequence (uint64, odd while the text changes) @8, number of counters
 * (uint32) @16, length of the text @20. Then come the counters, 8 bytes each, and the text, with a
 * line {@code key=value} for each entry, one of which names the counters.
 */
public final class StatusBlock {
  private static final int HEADER = 24;
  private static final int MAX_SIZE = 1 << 16;
  private static final int CHANGE_MILLIS = 2_000;
  private static final String UNKNOWN = "unknown";

  public final Map<String, String> entries;

  /** For tests of what is concluded from a status. */
  public StatusBlock(Map<String, String> entries) {
    this.entries = new LinkedHashMap<>(entries);
  }

  /**
   * @throws IOException if this is no block of a version that is known; the message says why
   */
  public StatusBlock(ProcessMemory memory, long address) throws IOException {
    this(memory, address, CHANGE_MILLIS);
  }

  /** The same with another time in which a writer has to complete a change. */
  StatusBlock(ProcessMemory memory, long address, int changeMillis) throws IOException {
    Deadline patience = new Deadline(changeMillis);
    do {
      ByteBuffer header = memory.read(address, HEADER);
      int version = header.getInt(0);
      int size = header.getInt(4);
      int counters = header.getInt(16);
      int text = header.getInt(20);
      if (version != 1) {
        throw new IOException(
            "its version is " + version + ": use the doctor of the plug-in's version");
      }
      if (size < HEADER || size > MAX_SIZE || counters < 0 || counters > MAX_SIZE / Long.BYTES) {
        throw new IOException("its size is " + size + ", with " + counters + " counters");
      }
      long sequence = header.getLong(8);
      if ((sequence & 1) == 0 && text >= 0 && text <= size - HEADER - counters * Long.BYTES) {
        ByteBuffer content = memory.read(address + HEADER, counters * Long.BYTES + text);
        if (memory.word(address + 8) == sequence) {
          entries = decode(content, counters);
          return;
        }
      }
    } while (patience.pause(1));
    throw new IOException("its writer does not complete a change");
  }

  private static Map<String, String> decode(ByteBuffer content, int counters) {
    ByteBuffer text = content.duplicate();
    text.position(counters * Long.BYTES);
    Map<String, String> entries = new LinkedHashMap<>();
    for (String line : StandardCharsets.UTF_8.decode(text).toString().split("\n", 0)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        entries.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    String[] names = entries.getOrDefault("counters", "").split(",", 0);
    for (int i = 0; i < names.length && i < counters; i++) {
      entries.put(names[i], Long.toString(content.getLong(i * Long.BYTES)));
    }
    return entries;
  }

  /** Returns the value of a key, or a word that says that the status does not have it. */
  public String text(String key) {
    return entries.getOrDefault(key, UNKNOWN);
  }

  /** Returns a number, or null if the status does not have it. */
  public @Nullable Long number(String key) {
    return text(key).matches("-?\\d{1,18}") ? Long.valueOf(text(key)) : null;
  }

  public boolean isRunning() {
    return text("state").equals("active") || text("state").equals("waiting");
  }

  /** Returns whether all conditions hold, each a key and a pattern, joined by "and". */
  public boolean holds(String conditions) {
    return Arrays.stream(conditions.split(" and ", 0))
        .map(condition -> condition.split(" = ", 2))
        .allMatch(words -> words.length == 2 && text(words[0]).matches("(?s)" + words[1]));
  }

  /** Returns a text in which each {key} is replaced by its value, and {key:ago} by its age. */
  public String format(String pattern) {
    StringBuilder text = new StringBuilder();
    for (String part : pattern.split("\\{", -1)) {
      int end = part.indexOf('}');
      if (end >= 0) {
        String key = part.substring(0, end);
        text.append(key.endsWith(":ago") ? ago(key.substring(0, key.length() - 4)) : text(key));
      }
      text.append(part.substring(end + 1));
    }
    return text.toString();
  }

  private String ago(String key) {
    Long time = number(key);
    if (time == null || time == 0) {
      return time == null ? UNKNOWN : "never";
    }
    long seconds = (System.currentTimeMillis() - time) / 1000;
    return seconds < 0
        ? "at a future time (the clock was set back)"
        : seconds < 120 ? seconds + " s ago" : seconds / 60 + " min ago";
  }

  @Override
  public String toString() {
    return text("state");
  }
}
