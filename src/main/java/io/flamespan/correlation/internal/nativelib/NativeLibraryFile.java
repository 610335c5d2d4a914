/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.nativelib;

import io.flamespan.correlation.internal.posix.ConfiguredDirectory;
import io.flamespan.correlation.internal.posix.PrivateDirectory;
import io.flamespan.correlation.internal.protocol.HexIds;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * The native libraries as files: one per user and content. Later processes reuse a file after
 * comparing every byte. Where others can exchange the directory between that and the load, each
 * process has an {@linkplain UnguessableFiles unguessable} file instead.
 */
final class NativeLibraryFile {
  private static final String SUFFIX = ".so";

  // Profilers recognize the library by this name, as they do other agents' libraries for them.
  static final String NAME = "elastic-jvmti-linux-";

  /** The library for sockets, which profilers ignore. */
  static final String SOCKETS = "flamespan-sockets-linux-";

  /** The library of the thread context, which its readers find by its symbol. */
  static final String THREAD_CONTEXT = "otel-thread-context-linux-";

  private static final Pattern ANY =
      Pattern.compile("(/.*/" + NAME + "[\\w-]*\\.so)(?: \\(deleted\\))?$", Pattern.MULTILINE);

  /** Returns the architecture as written in the file name, or null if this CPU is not supported. */
  static @Nullable String architecture() {
    switch (System.getProperty("os.arch", "")) {
      case "amd64":
      case "x86_64":
        return "x64";
      case "aarch64":
        return "arm64";
      default:
        return null;
    }
  }

  /**
   * Returns the file, after writing it if it is missing or differs.
   *
   * @param library {@link #NAME}, {@link #SOCKETS} or {@link #THREAD_CONTEXT}
   * @throws FileNotFoundException if the jar does not contain a library for this CPU
   */
  static Path extract(String library, ConfiguredDirectory parent) throws IOException {
    String name = fileName(library);
    byte[] content = read(name);
    Path directory = open(parent, content);
    UnguessableFiles.removeStale(directory, System.currentTimeMillis());
    if (PrivateDirectory.openToOthers(directory) != null) {
      Path file = writeUnguessable(directory, name, content);
      file.toFile().deleteOnExit();
      return file;
    }
    Path file = directory.resolve(name);
    if (!hasContent(file, content)) {
      replace(directory, file, content);
    }
    return file;
  }

  /** Writes the library for sockets to another file, which the caller deletes. */
  static Path copySockets(ConfiguredDirectory parent) throws IOException {
    String name = fileName(SOCKETS);
    byte[] content = read(name);
    return writeUnguessable(open(parent, content), name, content);
  }

  /** Opens a directory per content: processes keep the file of another version that they map. */
  private static Path open(ConfiguredDirectory parent, byte[] content) throws IOException {
    return PrivateDirectory.subdirectory(parent.open(), directory(content));
  }

  private static Path writeUnguessable(Path directory, String name, byte[] content)
      throws IOException {
    String base = name.substring(0, name.length() - SUFFIX.length());
    return UnguessableFiles.write(directory, base, content);
  }

  /**
   * Returns the file with the name of such a library among the mappings of a process, or null if
   * profilers do not find one.
   */
  static @Nullable Path mapped(String maps) {
    if (!maps.contains(NAME)) {
      return null; // the pattern takes much longer
    }
    Matcher library = ANY.matcher(maps);
    return library.find() ? Paths.get(library.group(1)) : null;
  }

  /**
   * Returns whether a file was written with the same content as the library in the jar, as its path
   * shows.
   */
  static boolean isOfThisContent(Path file) throws IOException {
    Path directory = file.getParent();
    return directory != null && directory.endsWith(directory(read(fileName(NAME))));
  }

  private static String fileName(String library) {
    return library + architecture() + SUFFIX;
  }

  private static String directory(byte[] content) {
    return "native-" + hash(content);
  }

  /** Returns false also if others can write to the file, which could then change afterwards. */
  private static boolean hasContent(Path file, byte[] content) throws IOException {
    return PrivateDirectory.isPrivateFile(file) && Arrays.equals(Files.readAllBytes(file), content);
  }

  private static void replace(Path directory, Path file, byte[] content) throws IOException {
    Path temporary = writeUnguessable(directory, file.getFileName().toString(), content);
    try {
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static byte[] read(String name) throws IOException {
    try (InputStream resource = NativeLibraryFile.class.getResourceAsStream(name)) {
      if (resource == null) {
        throw new FileNotFoundException(
            "the plug-in's jar was built without " + name + ", so it does not support this CPU");
      }
      // A file of a jar is available as a whole, so the buffer rarely has to grow.
      ByteArrayOutputStream content =
          new ByteArrayOutputStream(Math.max(resource.available(), 1024));
      byte[] chunk = new byte[8192];
      for (int n = resource.read(chunk); n >= 0; n = resource.read(chunk)) {
        content.write(chunk, 0, n);
      }
      return content.toByteArray();
    }
  }

  /**
   * Returns a hash that distinguishes versions. It need not detect forgeries, because nobody else
   * can write to the directory and every byte is compared. A message digest takes 30 ms in a JVM
   * that has just started; these two checksums are native.
   */
  private static String hash(byte[] content) {
    return HexIds.toHex(sum(new CRC32(), content) << Integer.SIZE | sum(new Adler32(), content));
  }

  private static long sum(Checksum checksum, byte[] content) {
    checksum.update(content, 0, content.length);
    return checksum.getValue();
  }

  private NativeLibraryFile() {}
}
