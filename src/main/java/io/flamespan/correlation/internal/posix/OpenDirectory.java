/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.posix;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A private directory that is held open. Its files are reached through the descriptor, so it does
 * not matter where others make its path lead meanwhile.
 */
public final class OpenDirectory implements Closeable {
  private static final Set<OpenOption> NEW =
      new HashSet<>(Arrays.asList(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  private static final Set<OpenOption> NEW_TO_READ =
      new HashSet<>(
          Arrays.asList(
              StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final int READABLE_BY_OTHERS = 0044; // read permission for group and others

  private final SecureDirectoryStream<Path> entries;
  private final boolean listedByOthers;

  private OpenDirectory(SecureDirectoryStream<Path> entries, boolean listedByOthers) {
    this.entries = entries;
    this.listedByOthers = listedByOthers;
  }

  /**
   * Opens a directory.
   *
   * @throws IOException also if others own it or may write to it
   */
  @SuppressWarnings("StreamResourceLeak") // closed by close, or below
  public static OpenDirectory of(Path directory) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(directory);
    try {
      SecureDirectoryStream<Path> entries = (SecureDirectoryStream<Path>) stream;
      BasicFileAttributeView view = entries.getFileAttributeView(BasicFileAttributeView.class);
      // The path is asked about the owner, and may lead elsewhere by now.
      Object fileKey = Objects.requireNonNull(view.readAttributes().fileKey());
      int mode = PrivateDirectory.mode(directory, fileKey);
      return new OpenDirectory(entries, (mode & READABLE_BY_OTHERS) != 0);
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  /** Returns whether others can see the names of its files. */
  public boolean isListedByOthers() {
    return listedByOthers;
  }

  /** Writes a new file that only its owner can read and write. Leaves nothing if that fails. */
  public void create(String name, byte[] content) throws IOException {
    try (OutputStream file =
        Channels.newOutputStream(entries.newByteChannel(Paths.get(name), NEW, OWNER_ONLY))) {
      file.write(content);
    } catch (IOException | RuntimeException | Error e) {
      deleteAfter(e, name);
      throw e;
    }
  }

  /** Opens a new file that only its owner can read and write. */
  public FileChannel open(String name) throws IOException {
    return (FileChannel) entries.newByteChannel(Paths.get(name), NEW_TO_READ, OWNER_ONLY);
  }

  private void deleteAfter(Throwable failure, String name) {
    try {
      delete(name);
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e); // usually because it was not created
    }
  }

  /** Returns the names of all files. Can be called once. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (Path entry : entries) {
      names.add(entry.getFileName().toString());
    }
    return names;
  }

  public long lastModifiedMillis(String name) throws IOException {
    return entries
        .getFileAttributeView(
            Paths.get(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes()
        .lastModifiedTime()
        .toMillis();
  }

  public void delete(String name) throws IOException {
    entries.deleteFile(Paths.get(name));
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }
}
