/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How long the kernel has stopped the process, because a control group has used up its CPU time for
 * a period. Used by one thread at a time.
 */
final class CpuThrottling {
  private static final Pattern GROUP = Pattern.compile("(?m)^\\d+:([^:\n]*):(.*)$");

  /** The root of the mount in its file system, where it is mounted, and the kind and options. */
  private static final Pattern MOUNT =
      Pattern.compile("(?m)^\\S+ \\S+ \\S+ (\\S+) (\\S+) .*? - (cgroup2?) \\S+ (\\S+)$");

  private static final String CPU = "cpu";
  private static final long NANOS_PER_MICRO = 1_000;

  /** A group with a limit. */
  private static final class Group {
    private final Path directory;
    private final boolean isFirstVersion;
    private long periods; // at the last look
    private long nanos;

    Group(Path directory, boolean isFirstVersion) {
      this.directory = directory;
      this.isFirstVersion = isFirstVersion;
    }

    /** Returns the limit and the period in nanoseconds, or null if there is no limit. */
    private long @Nullable [] limit() throws IOException {
      String[] limit =
          isFirstVersion
              ? new String[] {
                text(directory.resolve("cpu.cfs_quota_us")),
                text(directory.resolve("cpu.cfs_period_us"))
              }
              : text(directory.resolve("cpu.max")).split(" ", -1);
      return limit[0].equals("max") || limit[0].startsWith("-")
          ? null
          : new long[] {
            Long.parseLong(limit[0]) * NANOS_PER_MICRO, Long.parseLong(limit[1]) * NANOS_PER_MICRO
          };
    }

    boolean hasLimit() throws IOException {
      String file = isFirstVersion ? "cpu.cfs_quota_us" : "cpu.max"; // a root has none
      return Files.exists(directory.resolve(file)) && limit() != null;
    }

    /** Returns how long it has been throttled since the last look. */
    long look() throws IOException {
      String stat = text(directory.resolve("cpu.stat"));
      long periods = number(stat, "nr_throttled");
      long nanos =
          isFirstVersion
              ? number(stat, "throttled_time")
              : number(stat, "throttled_usec") * NANOS_PER_MICRO;
      long newPeriods = periods - this.periods;
      long newNanos = nanos - this.nanos;
      this.periods = periods;
      this.nanos = nanos;
      long[] limit = newNanos > 0 ? limit() : null;
      return limit == null ? 0 : estimate(newNanos, Math.max(1, newPeriods), limit[0], limit[1]);
    }
  }

  /**
   * Returns how long a group has been throttled. The kernel counts this for each CPU: if a group
   * that runs on <em>k</em> CPUs may use a limit <em>L</em> in each period <em>P</em>, all of them
   * stop after <em>L</em> / <em>k</em>, and it counts <em>T</em> = <em>k</em> (<em>P</em> -
   * <em>L</em> / <em>k</em>). So <em>k</em> = (<em>T</em> + <em>L</em>) / <em>P</em>.
   *
   * @param counted for all CPUs and periods
   * @param periods how many there were in which it was throttled
   */
  static long estimate(long counted, long periods, long limit, long period) {
    double ofPeriod = (double) counted / periods;
    return Math.round(periods * (period * ofPeriod / (ofPeriod + limit)));
  }

  private final List<Group> groups;

  private CpuThrottling(List<Group> groups) {
    this.groups = groups;
  }

  /**
   * Finds the group of a process, and those that contain it.
   *
   * @param process its directory in proc
   * @return null if none has a limit
   */
  static @Nullable CpuThrottling find(Path process) throws IOException {
    String group = null;
    boolean isFirstVersion = false;
    for (Matcher each = GROUP.matcher(text(process.resolve("cgroup"))); each.find(); ) {
      String controllers = String.valueOf(each.group(1)); // none in version 2
      boolean hasCpu = Arrays.asList(controllers.split(",", -1)).contains(CPU);
      if (hasCpu || (controllers.isEmpty() && !isFirstVersion)) {
        group = each.group(2);
        isFirstVersion = hasCpu;
      }
    }
    if (group == null) {
      return null;
    }
    for (Matcher mount = MOUNT.matcher(text(process.resolve("mountinfo"))); mount.find(); ) {
      boolean isFirst = String.valueOf(mount.group(3)).equals("cgroup");
      List<String> options = Arrays.asList(String.valueOf(mount.group(4)).split(",", -1));
      if (isFirst == isFirstVersion && (!isFirst || options.contains(CPU))) {
        Path root = process.getFileSystem().getPath(name(mount.group(2)));
        return of(root, relative(group, name(mount.group(1))), isFirst);
      }
    }
    return null; // such as in a container that does not see them
  }

  /** Returns the group below what is mounted, which may be the group itself. */
  private static String relative(String group, String mounted) {
    String root = mounted.equals("/") ? "" : mounted;
    boolean isBelow = (group + '/').startsWith(root + '/') && !group.startsWith("/..");
    return isBelow ? group.substring(root.length()) : "";
  }

  private static @Nullable CpuThrottling of(Path root, String group, boolean isFirstVersion)
      throws IOException {
    List<Group> found = new ArrayList<>();
    Path directory = root.resolve(group.replaceFirst("^/+", ""));
    for (Path each = directory; each != null && each.startsWith(root); each = each.getParent()) {
      Group next = new Group(each, isFirstVersion);
      if (next.hasLimit()) {
        long unused = next.look();
        found.add(next);
      }
    }
    return found.isEmpty() ? null : new CpuThrottling(found);
  }

  /**
   * Returns for how much of the time since the last call it was throttled. A group and one around
   * it, whose limit is often the same, are throttled at the same time.
   */
  long nanos(long sinceLastCall) throws IOException {
    long most = 0;
    for (Group group : groups) {
      most = Math.max(most, group.look());
    }
    return Math.min(most, sinceLastCall);
  }

  private static long number(String stat, String name) throws IOException {
    Matcher line = Pattern.compile("(?m)^" + name + " (\\d+)$").matcher(stat);
    if (!line.find()) {
      throw new IOException("cpu.stat has no " + name);
    }
    return Long.parseLong(String.valueOf(line.group(1)));
  }

  /** The kernel writes spaces and some other characters as octal numbers. */
  private static String name(@Nullable String inMountinfo) {
    return String.valueOf(inMountinfo).replace("\\040", " ");
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8).trim();
  }

  /** Returns the groups. */
  @Override
  public String toString() {
    return groups.stream()
        .map(group -> group.directory.toString())
        .collect(Collectors.joining(" and "));
  }
}
