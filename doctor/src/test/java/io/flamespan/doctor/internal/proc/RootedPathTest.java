/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promise: a path of a process never leads out of the root of that process. */
class RootedPathTest {
  @TempDir Path directory;
  private final TargetProcess self = TargetProcess.self();
  private Path root;

  @BeforeEach
  void resolveDirectory() throws IOException {
    directory = directory.toRealPath();
    root = self.file("root");
  }

  private Path in(String path) throws IOException {
    return self.rooted(path);
  }

  @Test
  void path_withoutLinks_isBelowTheRoot() throws IOException {
    assertThat(in(directory + "/./a//b"))
        .isEqualTo(root.resolve((directory + "/a/b").substring(1)));
  }

  @Test
  void link_inBetween_isAnError() throws IOException {
    Path real = Files.createDirectory(directory.resolve("real"));
    Files.createSymbolicLink(directory.resolve("link"), real);

    for (String path : new String[] {directory + "/link/file", "/proc/self/cwd/file"}) {
      assertThatThrownBy(() -> in(path)).isInstanceOf(TargetProcess.LinkException.class);
    }
  }

  @Test
  void path_thatLeadsUpwards_isAnError() {
    assertThatThrownBy(() -> in("/../../etc")).isInstanceOf(IOException.class);
  }

  @Test
  void link_lastPart_isNotFollowed() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("/etc/passwd"));

    assertThat(in(link.toString())).isEqualTo(root.resolve(link.toString().substring(1)));
  }

  @Test
  void name_withNul_isAnError() {
    assertThatThrownBy(() -> in("/tmp/a\0b")).isInstanceOf(IOException.class);
  }
}
