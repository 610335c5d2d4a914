/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A control group (version 1 or 2) of one process that limits its CPU time. */
final class CpuLimit {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final Path FIRST = ROOT.resolve("cpu");
  private static final int PERIOD_MICROS = 100_000;

  private final Path group;
  private final boolean second;
  private final long pid;

  private CpuLimit(Path group, boolean second, long pid) {
    this.group = group;
    this.second = second;
    this.pid = pid;
  }

  /** Returns why CPU limits are not possible here, or null if they are. */
  static @Nullable String impossible() {
    if (Files.isRegularFile(FIRST.resolve("cpu.cfs_quota_us"))) {
      return Files.isWritable(FIRST) ? null : FIRST + " is not writable";
    }
    Path controllers = ROOT.resolve("cgroup.subtree_control");
    try {
      if (Files.isRegularFile(controllers) && Files.readString(controllers).contains("cpu")) {
        return Files.isWritable(ROOT) ? null : ROOT + " is not writable";
      }
    } catch (IOException e) {
      return e.toString();
    }
    return "there is no control group with a CPU controller in " + ROOT;
  }

  /** Puts the process into a new group without a limit. */
  static CpuLimit of(long pid) throws IOException {
    boolean second = !Files.isRegularFile(FIRST.resolve("cpu.cfs_quota_us"));
    Path group = (second ? ROOT : FIRST).resolve("soak-" + pid);
    Files.createDirectory(group);
    CpuLimit limit = new CpuLimit(group, second, pid);
    try {
      Path realTime = group.resolve("cpu.rt_runtime_us");
      if (Files.exists(realTime)) {
        // Without a real-time budget, the group would reject threads with real-time priority, such
        // as our receiver.
        write(realTime, "50000");
      }
      write(group.resolve("cgroup.procs"), String.valueOf(pid));
      return limit;
    } catch (IOException e) {
      Files.deleteIfExists(group);
      throw e;
    }
  }

  void set(int percent) throws IOException {
    long micros = (long) PERIOD_MICROS * percent / 100;
    if (second) {
      write(group.resolve("cpu.max"), (percent == 0 ? "max" : micros) + " " + PERIOD_MICROS);
    } else {
      write(group.resolve("cpu.cfs_quota_us"), String.valueOf(percent == 0 ? -1 : micros));
    }
  }

  /** Must be called after the process has ended. */
  void remove() throws InterruptedException {
    // It takes the kernel a moment to empty the group.
    for (int i = 0; i < 100 && Files.exists(Path.of("/proc/" + pid)); i++) {
      Thread.sleep(100);
    }
    for (int i = 0; i < 100; i++) {
      try {
        Files.deleteIfExists(group);
        return;
      } catch (IOException e) {
        Thread.sleep(100);
      }
    }
    System.out.println("the control group " + group + " is left over");
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text);
  }
}
