/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuThrottlingTest {
  private static final long SECOND = 1_000_000_000;

  @TempDir private Path process;
  private Path mount;

  @BeforeEach
  void mount() throws IOException {
    mount = Files.createDirectory(process.resolve("a mount"));
  }

  private void cgroup(String... lines) throws IOException {
    Files.write(process.resolve("cgroup"), String.join("\n", lines).concat("\n").getBytes());
  }

  /** Mounts this group of a file system. */
  private void mounted(String group, String kind, String options) throws IOException {
    String point = mount.toString().replace(" ", "\\040");
    String others =
        "23 1 0:28 / / rw - ext4 /dev/vda rw\n30 23 0:30 / /x rw - cgroup cgroup rw,cpuset\n";
    String line = "31 23 0:29 " + group + ' ' + point + " rw shared:4 - " + kind + " x " + options;
    Files.write(process.resolve("mountinfo"), (others + line + '\n').getBytes());
  }

  private void write(String group, String file, String content) throws IOException {
    Path directory = Files.createDirectories(mount.resolve(group));
    Files.write(directory.resolve(file), (content + '\n').getBytes());
  }

  private void stat(String group, int periods, long micros) throws IOException {
    write(
        group,
        "cpu.stat",
        "usage_usec 7\nnr_periods 9\nnr_throttled " + periods + "\nthrottled_usec " + micros);
  }

  @Test
  void groupsOfVersion2_inAndAroundThatOfTheProcess_areLookedAt() throws IOException {
    cgroup("0::/pod/container");
    mounted("/", "cgroup2", "rw,nsdelegate");
    write("pod/container", "cpu.max", "30000 100000");
    stat("pod/container", 5, 100_000);
    write("pod", "cpu.max", "50000 100000");
    stat("pod", 0, 0);

    CpuThrottling throttling = CpuThrottling.find(process);
    assertThat(throttling)
        .hasToString(mount.resolve("pod/container") + " and " + mount.resolve("pod"));
    assertThat(throttling.nanos(SECOND)).isZero();

    stat("pod/container", 7, 100_000 + 140_000); // one CPU, twice 70 ms
    assertThat(throttling.nanos(SECOND)).isEqualTo(140_000_000);
    assertThat(throttling.nanos(SECOND)).isZero();

    stat("pod", 1, 150_000); // two CPUs, for 75 ms
    assertThat(throttling.nanos(SECOND)).isEqualTo(75_000_000);

    stat("pod", 11, 150_000 + 1_500_000);
    assertThat(throttling.nanos(SECOND / 2)).isEqualTo(SECOND / 2);

    stat("pod/container", 8, 240_000 + 70_000); // at the same time
    stat("pod", 12, 1_650_000 + 150_000);
    assertThat(throttling.nanos(SECOND)).isEqualTo(75_000_000);
  }

  @Test
  void groupsOfVersion1_areLookedAt() throws IOException {
    cgroup("9:name=systemd:/", "2:cpuacct,cpu:/docker/abc", "0::/other");
    mounted("/docker/abc", "cgroup", "rw,cpuacct,cpu");
    write("", "cpu.cfs_quota_us", "30000");
    write("", "cpu.cfs_period_us", "100000");
    write("", "cpu.stat", "nr_periods 1\nnr_throttled 1\nthrottled_time 5");

    CpuThrottling throttling = CpuThrottling.find(process);
    write("", "cpu.stat", "nr_periods 1\nnr_throttled 2\nthrottled_time 70000005");

    assertThat(throttling.nanos(SECOND)).isEqualTo(70_000_000);
  }

  @Test
  void groups_withoutLimit_areNotLookedAt() throws IOException {
    cgroup("0::/container");
    mounted("/", "cgroup2", "rw");
    write("container", "cpu.max", "max 100000");
    assertThat(CpuThrottling.find(process)).isNull();

    Files.delete(mount.resolve("container/cpu.max"));
    assertThat(CpuThrottling.find(process)).isNull();

    cgroup("1:cpu:/container");
    mounted("/", "cgroup", "rw,cpu");
    write("container", "cpu.cfs_quota_us", "-1");
    write("container", "cpu.cfs_period_us", "100000");
    assertThat(CpuThrottling.find(process)).isNull();
  }

  @Test
  void groups_thatAreNotMounted_areNone() throws IOException {
    cgroup("3:memory:/", "0::/container");
    mounted("/", "cgroup", "rw,cpu");
    assertThat(CpuThrottling.find(process)).isNull();

    cgroup("3:memory:/");
    assertThat(CpuThrottling.find(process)).isNull();
  }

  @Test
  void group_outsideOfWhatIsMounted_isTheMountedOne() throws IOException {
    mounted("/docker/abc", "cgroup2", "rw");
    write("", "cpu.max", "30000 100000");
    stat("", 0, 0);
    for (String group : new String[] {"/", "/docker/abcd", "/../x"}) {
      cgroup("0::" + group);

      assertThat(CpuThrottling.find(process)).as(group).hasToString(mount.toString());
    }
  }

  @Test
  void files_thatCannotBeUnderstood_areErrors() throws IOException {
    assertThatIOException().isThrownBy(() -> CpuThrottling.find(process));

    cgroup("0::/");
    mounted("/", "cgroup2", "rw");
    write("", "cpu.max", "30000 100000");
    write("", "cpu.stat", "usage_usec 7");
    assertThatIOException()
        .isThrownBy(() -> CpuThrottling.find(process))
        .withMessage("cpu.stat has no nr_throttled");
  }
}
