/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded;

import io.otelprofiling.correlation.internal.posix.PrivateDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The file that async-profiler writes. It has no name any more as soon as async-profiler has opened
 * it, so that it is gone with the process, however that ends.
 */
final class RecordingFile implements Closeable {
  /** What is read at once: more than a second of samples of a hundred CPUs. */
  private static final int MAX_READ = 64 << 20;

  /** What the file may use of the disk. */
  private static final long MAX_USED = 16 << 20;

  private final Path directory;
  private final Path path;
  private final FileChannel channel;
  private long position; // of the first byte that was not returned
  private long hole; // the first byte that still uses the disk

  /** Creates an empty file that only this user can read, in the directory for temporary files. */
  RecordingFile() throws IOException {
    directory = createDirectory();
    path = directory.resolve("samples.jfr");
    try {
      Files.createFile(path, permissions("rw-------"));
      channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    } catch (IOException | RuntimeException e) {
      removeName();
      throw e;
    }
  }

  /**
   * Creates a directory for this user only, in that for temporary files.
   *
   * @throws IOException also if others could exchange it
   */
  static Path createDirectory() throws IOException {
    Path parent = Paths.get(System.getProperty("java.io.tmpdir")).toRealPath();
    Path open = PrivateDirectory.openToOthers(parent);
    if (open != null) {
      throw new IOException(
          "others could exchange files below "
              + open
              + "; set java.io.tmpdir to another directory");
    }
    return Files.createTempDirectory(parent, "otel-profiling-", permissions("rwx------"));
  }

  private static FileAttribute<?> permissions(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }

  Path path() {
    return path;
  }

  /** Removes the name of the file. */
  void removeName() throws IOException {
    Files.deleteIfExists(path);
    Files.deleteIfExists(directory);
  }

  /** Returns the bytes that were written since what was {@link #skip}ped last. */
  ByteBuffer unread() throws IOException {
    long length = Math.max(0, channel.size() - position);
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(length, MAX_READ));
    while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) >= 0) {
      // There is more.
    }
    bytes.flip();
    return bytes;
  }

  /** Leaves out bytes that were read, and sometimes returns them to the disk. */
  void skip(int bytes) throws IOException {
    position += bytes;
    if (position - hole > MAX_USED) {
      makeHole();
    }
  }

  /**
   * Makes a hole of what was read. async-profiler writes on behind it. What it writes within these
   * microseconds is lost, which shows as a damaged chunk: a hole is made after a dump, when its
   * buffers are empty.
   */
  private void makeHole() throws IOException {
    ByteBuffer rest = unread();
    channel.truncate(0);
    while (rest.hasRemaining()) {
      channel.write(rest, position + rest.position());
    }
    hole = position;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    removeName();
  }
}
