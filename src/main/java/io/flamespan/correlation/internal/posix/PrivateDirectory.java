/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.posix;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Directories in which only this process's user and root can create or replace files. */
public final class PrivateDirectory {
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final int FILE_TYPE = 0170000;
  private static final int DIRECTORY = 0040000;
  private static final int REGULAR_FILE = 0100000;
  private static final int WRITABLE_BY_OTHERS = 0022; // write permission for group and others
  private static final int STICKY = 01000; // others cannot rename or delete what is not theirs
  private static final int ROOT = 0;

  /** Returns whether files can be written to {@link #inTemporaryDirectory}. Never throws. */
  public static boolean isTemporaryDirectoryUsable() {
    try {
      return Files.isWritable(inTemporaryDirectory());
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** Returns a directory of this user below the JVM's directory for temporary files. */
  public static Path inTemporaryDirectory() throws IOException {
    return in(Paths.get(System.getProperty("java.io.tmpdir")));
  }

  /**
   * Returns a directory of this user below {@code parent}, created if missing.
   *
   * @return its real path, without symbolic links
   * @throws IOException if it cannot be created, or if others own it or may write to it
   */
  public static Path in(Path parent) throws IOException {
    return create(parent.toRealPath().resolve("flamespan-" + effectiveUser()));
  }

  /** The kernel gives the directory of a process to the user as which it runs. */
  private static int effectiveUser() throws IOException {
    return (Integer) Files.getAttribute(Paths.get("/proc/self"), "unix:uid");
  }

  /**
   * Returns {@code configured}, created if missing, if only this user can write to it. Otherwise
   * returns a directory of this user below it.
   *
   * @return its real path, without symbolic links
   * @throws IOException if neither is possible
   */
  public static Path atOrIn(Path configured) throws IOException {
    createIfMissing(configured);
    Path real = configured.toRealPath();
    return isPrivate(real) ? real : in(real);
  }

  /** Creates a directory for this user only, unless it already exists. */
  public static void createIfMissing(Path directory) throws IOException {
    // Checked first: before Java 17, createDirectories fails on a symbolic link to a directory.
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory, OWNER_ONLY);
    }
  }

  /** Returns a direct subdirectory of a private directory, created if missing. */
  public static Path subdirectory(Path privateDirectory, String name) throws IOException {
    return create(privateDirectory.resolve(name));
  }

  private static Path create(Path directory) throws IOException {
    try {
      Files.createDirectory(directory, OWNER_ONLY);
    } catch (FileAlreadyExistsException e) {
      // It already exists: its owner and mode are checked below.
    }
    if (!isPrivate(directory)) {
      throw notPrivate(directory);
    }
    return directory;
  }

  private static IOException notPrivate(Path directory) {
    return new IOException(
        directory + " is not a directory that only this user can write to; remove it");
  }

  /**
   * Returns the first directory on this path in which others can exchange what follows for
   * something else, or null if nobody but this user and root can make the path lead elsewhere.
   *
   * @param path a real path, without symbolic links
   */
  public static @Nullable Path openToOthers(Path path) throws IOException {
    int user = effectiveUser();
    Path directory = path.getRoot();
    // Downwards, because others could still exchange what was found below an open directory.
    for (int i = 1; !isOpenToOthers(directory, user); i++) {
      if (i > path.getNameCount()) {
        return null;
      }
      directory = path.getRoot().resolve(path.subpath(0, i));
    }
    return directory;
  }

  private static boolean isOpenToOthers(Path directory, int user) throws IOException {
    Map<String, Object> found = attributes(directory);
    int mode = mode(found);
    Object owner = found.get("uid");
    return (mode & FILE_TYPE) != DIRECTORY
        || !(Objects.equals(owner, ROOT) || Objects.equals(owner, user))
        || ((mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0);
  }

  /** Returns whether this is a file, not a link, that only this user and root can write to. */
  public static boolean isPrivateFile(Path file) throws IOException {
    return isOnlyOurs(file, REGULAR_FILE);
  }

  private static boolean isPrivate(Path directory) throws IOException {
    return isOnlyOurs(directory, DIRECTORY);
  }

  /**
   * Returns the mode of the directory with this key.
   *
   * @throws IOException unless the path leads to it, and it is private
   */
  static int mode(Path directory, Object fileKey) throws IOException {
    Map<String, Object> found = attributes(directory);
    if (!fileKey.equals(found.get("fileKey")) || !isOnlyOurs(found, DIRECTORY)) {
      throw notPrivate(directory);
    }
    return mode(found);
  }

  private static boolean isOnlyOurs(Path path, int type) throws IOException {
    try {
      return isOnlyOurs(attributes(path), type);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static boolean isOnlyOurs(Map<String, Object> found, int type) throws IOException {
    int mode = mode(found);
    return (mode & FILE_TYPE) == type
        && (mode & WRITABLE_BY_OTHERS) == 0
        && Objects.equals(found.get("uid"), effectiveUser());
  }

  private static int mode(Map<String, Object> found) {
    return (Integer) Objects.requireNonNull(found.get("mode"));
  }

  /** Reads all attributes at once: between two reads, others could replace the file. */
  private static Map<String, Object> attributes(Path path) throws IOException {
    return Files.readAttributes(path, "unix:uid,mode,fileKey", LinkOption.NOFOLLOW_LINKS);
  }

  private PrivateDirectory() {}
}
