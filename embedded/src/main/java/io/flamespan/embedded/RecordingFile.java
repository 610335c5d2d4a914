/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import io.flamespan.correlation.internal.nativelib.UnguessableFiles;
import io.flamespan.correlation.internal.posix.OpenDirectory;
import io.flamespan.correlation.internal.posix.PrivateDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/**
 * The file that async-profiler writes. It has no name any more before async-profiler opens it, by
 * its descriptor: it is gone with the process, however that ends, and nobody else can exchange it.
 */
final class RecordingFile implements Closeable {
  private static final Path DESCRIPTORS = Paths.get("/proc/self/fd");

  /** What is read at once: more than a second of samples of a hundred CPUs. */
  private static final int MAX_READ = 64 << 20;

  /** What the file may use of the disk. */
  private static final long MAX_USED = 16 << 20;

  private final FileChannel channel;
  private final Path path;
  private long position; // of the first byte that was not returned
  private long hole; // the first byte that still uses the disk

  /** Creates an empty file that only this user can read, in the directory for temporary files. */
  RecordingFile() throws IOException {
    Path directory = PrivateDirectory.inTemporaryDirectory();
    UnguessableFiles.removeStale(directory, System.currentTimeMillis());
    String name = UnguessableFiles.name("samples", ".jfr");
    try (OpenDirectory open = OpenDirectory.of(directory)) {
      channel = open.open(name);
      try {
        path = descriptor(name);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      } finally {
        open.delete(name);
      }
    }
  }

  /** Java does not tell the descriptors of its files. */
  private static Path descriptor(String name) throws IOException {
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path descriptor : descriptors) {
        if (leadsTo(descriptor, name)) {
          return descriptor;
        }
      }
    }
    throw new IOException(DESCRIPTORS + " does not show it; mount proc at /proc");
  }

  private static boolean leadsTo(Path descriptor, String name) {
    try {
      return Files.readSymbolicLink(descriptor).endsWith(name);
    } catch (IOException | RuntimeException e) {
      return false; // closed meanwhile, or no path
    }
  }

  /** Returns the path by which this process can open it. */
  Path path() {
    return path;
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
  }
}
