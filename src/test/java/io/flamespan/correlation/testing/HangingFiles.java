/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A mounted file system that stops answering on demand. Needs root. */
public abstract class HangingFiles implements AutoCloseable {
  private static final int MEGABYTE = 1 << 20;
  private static final int SIZE = 16; // megabytes

  private final Path root;
  private final Path mounted;

  private HangingFiles() {
    try {
      root = Files.createTempDirectory(Path.of("/tmp"), "pc"); // a short path
      mounted = Files.createDirectory(root.resolve("m"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file system whose server stops answering, as that of a network file system. */
  public static HangingFiles served() {
    assumeTrue(Files.isWritable(Path.of("/dev/fuse")), "needs root and /dev/fuse for a FUSE mount");
    return new Served();
  }

  /** A file system in a file that is frozen, as for a snapshot: writing waits, reading does not. */
  public static HangingFiles frozen() {
    assumeTrue(
        Files.isWritable(Path.of("/dev/loop-control")), "needs root and loop devices for a mount");
    NativeProgram.assumeWorks("needs fsfreeze, to freeze a file system", "fsfreeze", "--version");
    NativeProgram.assumeWorks("needs mkfs.ext4, for a file system", "mkfs.ext4", "-V");
    return new Frozen();
  }

  /** Returns the directory in which it is mounted. */
  public final Path directory() {
    return mounted;
  }

  /** Lets operations wait from now on. */
  public abstract void hang();

  /** Lets operations end. */
  public abstract void answer();

  @Override
  public final void close() {
    answer();
    NativeProgram.run(List.of("umount", "-l", mounted.toString())); // may no longer be mounted
    NativeProgram.run(List.of("rm", "-rf", "--one-file-system", root.toString()));
  }

  private static final class Served extends HangingFiles {
    private final RunningCommand server;

    Served() {
      String source = NativeProgram.source("hanging_fs.c");
      Path program = NativeProgram.compile("gcc", directory().resolveSibling("hanging_fs"), source);
      server = RunningCommand.start(List.of(program.toString(), directory().toString()));
      try {
        server.awaitLine("mounted");
      } catch (AssertionError e) {
        close();
        assumeTrue(false, "needs root and FUSE: " + e.getMessage());
      }
    }

    @Override
    public void hang() {
      server.goOn();
      server.awaitLine("hanging");
    }

    @Override
    public void answer() {
      server.close(); // the kernel fails all requests then
    }
  }

  private static final class Frozen extends HangingFiles {
    Frozen() {
      try {
        Path image = directory().resolveSibling("image");
        Files.write(image, new byte[SIZE * MEGABYTE]);
        NativeProgram.check("mkfs.ext4", "-q", image.toString());
        NativeProgram.Output output =
            NativeProgram.run(
                List.of("mount", "-o", "loop", image.toString(), directory().toString()));
        if (output.status() != 0) {
          close();
          assumeTrue(false, "needs root and loop devices: " + output.text());
        }
        Files.setPosixFilePermissions(directory(), PosixFilePermissions.fromString("rwx------"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void hang() {
      NativeProgram.check("fsfreeze", "-f", directory().toString());
    }

    @Override
    public void answer() {
      NativeProgram.run(List.of("fsfreeze", "-u", directory().toString())); // may not be frozen
    }
  }
}
