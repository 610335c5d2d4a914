/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import io.flamespan.correlation.internal.log.Trouble;
import io.flamespan.correlation.internal.posix.OpenDirectory;
import io.flamespan.correlation.internal.posix.PrivateDirectory;
import io.flamespan.correlation.internal.protocol.HexIds;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.regex.Pattern;

/**
 * Files with a name of 128 random bits, which are loaded, moved or opened only once. Others cannot
 * list the private directory, so nobody can prepare a file of this name where the path may lead at
 * the next moment. A killed process leaves its files behind, and any later start removes them.
 */
public final class UnguessableFiles {
  // Not java.security.SecureRandom, which takes long in a JVM that has just started.
  private static final Path RANDOM = Paths.get("/dev/urandom");
  private static final Pattern NAME = Pattern.compile(".*-[0-9a-f]{32}\\.[a-z]+");

  // The process may run for longer. Profilers open what it has mapped, even if that is deleted.
  private static final long MAX_AGE_MILLIS = TimeUnit.DAYS.toMillis(1);

  /** Writes a new library, whose name begins with {@code base}. */
  public static Path write(Path directory, String base, byte[] content) throws IOException {
    String name = name(base, ".so");
    // Through a descriptor, because a path might create it where others can see it.
    try (OpenDirectory open = OpenDirectory.of(directory)) {
      if (open.isListedByOthers() && PrivateDirectory.openToOthers(directory) != null) {
        throw new IOException(directory + " can be listed by other users; remove it");
      }
      open.create(name, content);
    }
    return directory.resolve(name);
  }

  /** Returns a name that {@link #removeStale} knows. */
  public static String name(String base, String suffix) throws IOException {
    return base + "-" + random() + suffix;
  }

  private static String random() throws IOException {
    try (DataInputStream in = new DataInputStream(Files.newInputStream(RANDOM))) {
      return HexIds.toHex(in.readLong(), in.readLong());
    }
  }

  /** Removes old files. Never fails: files that cannot be removed stay. */
  public static void removeStale(Path directory, long nowMillis) {
    try (OpenDirectory open = OpenDirectory.of(directory)) {
      for (String name : open.names()) {
        if (NAME.matcher(name).matches()) {
          removeIfOld(open, name, nowMillis);
        }
      }
    } catch (IOException | RuntimeException e) {
      Trouble.log(
          UnguessableFiles.class,
          Level.FINE,
          "Stale libraries in " + directory + " were not removed",
          e);
    }
  }

  private static void removeIfOld(OpenDirectory directory, String name, long nowMillis) {
    try {
      if (nowMillis - directory.lastModifiedMillis(name) > MAX_AGE_MILLIS) {
        directory.delete(name);
      }
    } catch (IOException | RuntimeException e) {
      Trouble.log(
          UnguessableFiles.class, Level.FINE, "The stale library " + name + " was not removed", e);
    }
  }

  private UnguessableFiles() {}
}
