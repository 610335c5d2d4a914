/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.jvm;

import io.flamespan.correlation.internal.posix.ProcessMaps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The counters that HotSpot keeps in its file {@code hsperfdata}, times in nanoseconds. To read one
 * takes nanoseconds.
 *
 * <p>A stop is counted within microseconds after its end, so a thread that continues may still read
 * the time before.
 */
public final class JvmCounters {
  /** Only HotSpot itself maps its file for writing. */
  private static final Pattern OWN_FILE =
      Pattern.compile(
          "(?m)^\\S+ rw-s \\S+ \\S+ (\\d+) +(/.*/hsperfdata_[^/\n]*/\\d+)( \\(deleted\\))?$");

  private static final String WHY_NONE =
      "the JVM does not share its counters: it was started with -XX:-UsePerfData or"
          + " -XX:+PerfDisableSharedMem, or has no room for them in /tmp";

  // Before Java 13, the time in safepoints contains the time until all threads have reached them.
  // The counter with the version does not exist yet while Java agents start.
  private static final boolean ARE_SEPARATE =
      Double.parseDouble(System.getProperty("java.specification.version", "8")) >= 13;

  private final ByteBuffer content;
  private final PerfData data;
  private final int standing;
  private final int reaching;
  private final int running;

  /** Reads the counters of a JVM from the content of its file. */
  JvmCounters(ByteBuffer content) throws IOException {
    this.content = content;
    data = new PerfData(content);
    standing = data.offsetOfLong("sun.rt.safepointTime");
    reaching = data.offsetOfLong("sun.rt.safepointSyncTime");
    running = data.offsetOfLong("sun.rt.applicationTime");
  }

  /**
   * Returns the counters of this JVM, or null if they cannot be read.
   *
   * @param whyNot receives the reason, in words that can follow a colon
   */
  public static @Nullable JvmCounters open(Consumer<String> whyNot) {
    Path file = null;
    try {
      Matcher own = OWN_FILE.matcher(ProcessMaps.read());
      if (!own.find()) {
        whyNot.accept(WHY_NONE);
        return null;
      }
      file = Paths.get(String.valueOf(own.group(2)));
      if (own.group(3) != null || isAnother(file, Long.parseLong(String.valueOf(own.group(1))))) {
        whyNot.accept("somebody has deleted " + file + ", in which the JVM has its counters");
        return null;
      }
      return new JvmCounters(map(file));
    } catch (IOException | RuntimeException e) {
      whyNot.accept((file == null ? "" : file + " cannot be read: ") + e.getMessage());
      return null;
    }
  }

  /** The number of a process may come again, in another container with the same /tmp. */
  private static boolean isAnother(Path file, long inode) throws IOException {
    return ((Number) Files.getAttribute(file, "unix:ino")).longValue() != inode;
  }

  private static ByteBuffer map(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    }
  }

  /** Returns how long all threads have been stopped since the JVM began, and until they were. */
  public long stoppedNanos() {
    return data.getLong(standing) + (ARE_SEPARATE ? data.getLong(reaching) : 0);
  }

  /** Returns how much of {@link #stoppedNanos()} had passed until all threads were stopped. */
  public long reachingNanos() {
    return data.getLong(reaching);
  }

  /** Returns how long threads have run until the begin of the last stop. */
  public long runningNanos() {
    return data.getLong(running);
  }

  /** Returns a text, which may change, or an empty one if there is none of this name. */
  public String text(String name) {
    try {
      return data.text(name);
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Returns where a text is in {@link #content()}.
   *
   * @param length for how many bytes there must be room
   */
  public int offsetOfText(String name, int length) throws IOException {
    return data.offsetOfText(name, length);
  }

  /** Returns the memory that all is read from. */
  public ByteBuffer content() {
    return content;
  }
}
