/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.status;

import io.flamespan.correlation.internal.protocol.HexIds;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.CodeSource;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Identifies where the plug-in runs: its process, class loader and jar. */
public final class Origin {
  private static final Path PROC = Paths.get("/proc");
  private static final String UNKNOWN = "unknown";

  private static volatile String jar = "";

  /** Returns the id of this process in the process's view of {@code /proc}. */
  public static long pid() throws IOException {
    String link = Files.readSymbolicLink(PROC.resolve("self")).toString();
    try {
      return Long.parseLong(link);
    } catch (NumberFormatException e) {
      throw new IOException("/proc/self is " + link, e);
    }
  }

  /** Returns the namespace in which this process has that id, such as {@code pid:[4026531836]}. */
  public static String pidNamespace() throws IOException {
    return Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString();
  }

  /** Returns eight hexadecimal digits that distinguish the class loader from others. */
  public static String digits(@Nullable ClassLoader loader) {
    return HexIds.toHex(System.identityHashCode(loader)).substring(Integer.BYTES * 2);
  }

  /** Describes a class loader without calling its {@code toString}, which may run any code. */
  public static String describe(@Nullable ClassLoader loader) {
    return loader == null
        ? "the bootstrap class loader"
        : loader.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(loader));
  }

  /**
   * Returns the version of the plug-in. It is read from a file, because class loaders of extensions
   * do not expose a jar's manifest.
   */
  public static String version() {
    return version("version.properties");
  }

  /** Returns the version in a file of a class path, which is named relative to this class. */
  public static String version(String name) {
    try (InputStream file = Origin.class.getResourceAsStream(name)) {
      Properties properties = new Properties();
      if (file != null) {
        properties.load(file);
      }
      return properties.getProperty("version", UNKNOWN);
    } catch (IOException | RuntimeException e) {
      return UNKNOWN;
    }
  }

  /**
   * Finds the file that contains the plug-in's classes, or its URL if it is nested in another file.
   * May look into all files that the Java agent loads extensions from.
   */
  public static void findJar() {
    jar = searchJar();
  }

  /** Returns what {@link #findJar} has found, or an empty string. */
  public static String jar() {
    return jar;
  }

  private static String searchJar() {
    CodeSource source = Origin.class.getProtectionDomain().getCodeSource();
    URL location = source == null ? null : source.getLocation();
    if (location == null) {
      return UNKNOWN;
    }
    try {
      if (location.getProtocol().equals("file")) {
        return Paths.get(location.toURI()).toString();
      }
      String extension = ExtensionJar.path();
      return extension.isEmpty() ? location.toString() : extension;
    } catch (URISyntaxException | RuntimeException e) {
      return location.toString();
    }
  }

  private Origin() {}
}
