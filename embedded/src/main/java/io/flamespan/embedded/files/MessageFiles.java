/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of this process, in a subdirectory of its own. All processes that have the directory
 * share a limit: whoever begins a file deletes the oldest ones. Not thread-safe.
 */
final class MessageFiles {
  private static final Pattern SUBDIRECTORY = Pattern.compile(".+-[0-9]{8}T[0-9]{6}Z-[0-9]+");
  private static final Pattern FILE = Pattern.compile("[0-9]{6,}[.]otlp");
  private static final DateTimeFormatter START =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path directory;
  private final String process;
  private final long maxFileBytes;
  private final long maxBytes;
  private @Nullable Path subdirectory;
  private @Nullable Path file;
  private @Nullable FileChannel channel;
  private int files;

  /**
   * Creates nothing yet.
   *
   * @param service begins the name of the subdirectory
   * @param maxFileBytes after which a new file begins
   * @param maxBytes of all files of all processes
   */
  MessageFiles(Path directory, String service, long maxFileBytes, long maxBytes) {
    this.directory = directory;
    this.process = service.replaceAll("[^A-Za-z0-9._-]", "_") + '-' + START.format(Instant.now());
    this.maxFileBytes = maxFileBytes;
    this.maxBytes = maxBytes;
  }

  /** Writes a message as a whole, after its length, or throws. */
  void write(byte[] message) throws IOException {
    ByteBuffer rest = ByteBuffer.allocate(Integer.BYTES + message.length);
    rest.putInt(message.length).put(message).rewind();
    FileChannel open = channel(rest.remaining());
    long before = open.position();
    try {
      while (rest.hasRemaining()) {
        int unused = open.write(rest);
      }
    } catch (IOException e) {
      takeBack(open, before, e);
      throw e;
    }
  }

  /** Without this, the next message would follow half a message. */
  private void takeBack(FileChannel open, long size, IOException failure) {
    try {
      open.truncate(size);
    } catch (IOException e) {
      failure.addSuppressed(e);
      file = null; // the next message begins another one
    }
  }

  /** Begins a new file if the last one is full, or if somebody has deleted it. */
  private FileChannel channel(int bytes) throws IOException {
    FileChannel open = channel;
    if (open != null
        && open.isOpen()
        && file != null
        && Files.exists(file)
        && (open.position() == 0 || open.position() + bytes <= maxFileBytes)) {
      return open;
    }
    if (open != null) {
      channel = null;
      open.close();
    }
    Path parent = existing();
    deleteOldest();
    Path created = parent.resolve(String.format(Locale.ROOT, "%06d.otlp", ++files));
    open =
        FileChannel.open(
            created,
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            permissions("rw-------"));
    file = created;
    channel = open;
    return open;
  }

  /** Returns the subdirectory, which only this user can read. */
  private Path existing() throws IOException {
    Path existing = subdirectory;
    if (existing == null || !Files.isDirectory(existing, LinkOption.NOFOLLOW_LINKS)) {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory, permissions("rwx------"));
      }
      existing = Files.createTempDirectory(directory, process + '-', permissions("rwx------"));
      subdirectory = existing;
    }
    return existing;
  }

  private static FileAttribute<?> permissions(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }

  /**
   * Leaves room for one more file. What other users have put there neither counts nor can be
   * deleted; what cannot be deleted for another reason stays, and counts.
   */
  private void deleteOldest() throws IOException {
    List<Written> all = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (isNamed(entry, SUBDIRECTORY)
            && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
            && isOfThisUser(entry)) {
          addFilesOf(entry, all);
        }
      }
    }
    all.sort(
        Comparator.<Written, FileTime>comparing(written -> written.time)
            .thenComparing(written -> written.path));
    long bytes = all.stream().mapToLong(written -> written.bytes).sum();
    for (Written oldest : all) {
      if (bytes + maxFileBytes <= maxBytes) {
        break;
      }
      bytes -= delete(oldest);
    }
  }

  private static boolean isNamed(Path path, Pattern pattern) {
    return pattern.matcher(path.getFileName().toString()).matches();
  }

  private boolean isOfThisUser(Path entry) {
    Path own = subdirectory;
    try {
      return own != null
          && Files.getOwner(entry, LinkOption.NOFOLLOW_LINKS)
              .equals(Files.getOwner(own, LinkOption.NOFOLLOW_LINKS));
    } catch (IOException e) {
      return false; // deleted meanwhile
    }
  }

  private static void addFilesOf(Path subdirectory, List<Written> found) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(subdirectory)) {
      for (Path entry : entries) {
        if (isNamed(entry, FILE)) {
          found.add(new Written(entry));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Of another user, or deleted meanwhile.
    }
  }

  private long delete(Written oldest) {
    try {
      Files.deleteIfExists(oldest.path);
      Path parent = oldest.path.getParent();
      if (parent != null && !parent.equals(subdirectory)) {
        Files.delete(parent);
      }
    } catch (DirectoryNotEmptyException | NoSuchFileException e) {
      // It has more files, or is gone.
    } catch (IOException e) {
      return 0;
    }
    return oldest.bytes;
  }

  @Override
  public String toString() {
    return directory.toString();
  }

  /** A file of any process. */
  private static final class Written {
    final Path path;
    final FileTime time;
    final long bytes;

    Written(Path path) throws IOException {
      BasicFileAttributes attributes =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      this.path = path;
      this.time = attributes.lastModifiedTime();
      this.bytes = attributes.size();
    }
  }
}
