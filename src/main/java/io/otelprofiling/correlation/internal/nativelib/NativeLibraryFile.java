/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.nativelib;

import io.otelprofiling.correlation.internal.files.PrivateDirectory;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The native library as a file: one per user and content, which later processes use again after
 * comparing every byte.
 */
final class NativeLibraryFile {
  private static final int HASH_DIGITS = 16;

  /** As in the file name, or null where there is no library for this CPU. */
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
   * The file, written if it is not there yet.
   *
   * @throws FileNotFoundException if the jar has no library for this CPU
   */
  static Path extract(@Nullable String nativeDir) throws IOException {
    // Profilers know the library by this name.
    String name = "elastic-jvmti-linux-" + architecture() + ".so";
    byte[] content = read(name);
    Path parent =
        nativeDir == null
            ? PrivateDirectory.inTemporaryDirectory()
            : PrivateDirectory.atOrIn(Paths.get(nativeDir));
    // A directory per content: processes with another version keep the file that they have mapped.
    Path file = PrivateDirectory.subdirectory(parent, "native-" + hash(content)).resolve(name);
    if (!hasContent(file, content)) {
      replace(file, content);
    }
    return file;
  }

  private static boolean hasContent(Path file, byte[] content) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && Arrays.equals(Files.readAllBytes(file), content);
  }

  private static void replace(Path file, byte[] content) throws IOException {
    Path temporary = Files.createTempFile(file.getParent(), "extract", null);
    try {
      Files.write(temporary, content);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static byte[] read(String name) throws IOException {
    try (InputStream resource = NativeLibraryFile.class.getResourceAsStream(name)) {
      if (resource == null) {
        throw new FileNotFoundException(
            "the plug-in's jar was built without " + name + ", so it is not for this CPU");
      }
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      byte[] chunk = new byte[8192];
      for (int n = resource.read(chunk); n >= 0; n = resource.read(chunk)) {
        content.write(chunk, 0, n);
      }
      return content.toByteArray();
    }
  }

  private static String hash(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return String.format(Locale.ROOT, "%064x", new BigInteger(1, digest))
          .substring(0, HASH_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private NativeLibraryFile() {}
}
