/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Makes jars of what is on the class path of the tests. */
public final class Jars {
  private static final String LIBRARY =
      "opentelemetry-(api|common|context|sdk(-.*)?|exporter-logging)-\\d[^/]*\\.jar";

  private Jars() {}

  /** Returns the plug-in as users get it. */
  public static Path plugin() {
    return Path.of(System.getProperty("test.plugin.jar"));
  }

  /** Returns the jars of an SDK that logs its spans. */
  public static List<Path> sdk() {
    return classPath().filter(jar -> jar.getFileName().toString().matches(LIBRARY)).toList();
  }

  /** Returns the only jar of this artifact. */
  public static Path of(String artifact) {
    List<Path> found =
        classPath().filter(jar -> jar.getFileName().toString().startsWith(artifact)).toList();
    if (found.size() != 1) {
      throw new IllegalStateException(artifact + " is " + found);
    }
    return found.get(0);
  }

  private static Stream<Path> classPath() {
    return Stream.of(ChildJvm.wholeClassPath().split(File.pathSeparator)).map(Path::of);
  }

  /** Packs one class, which is the main class. */
  public static Path pack(Path jar, Class<?> main) throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    String file = main.getName().replace('.', '/') + ".class";
    try (InputStream in = main.getResourceAsStream("/" + file)) {
      entries.put(file, in.readAllBytes());
    }
    return write(jar, main, entries);
  }

  /**
   * Packs several jars into one, as plug-ins of build tools do.
   *
   * @param merges whether files of services are merged; otherwise, the first one of a name stays
   */
  public static Path merge(Path merged, Class<?> main, List<Path> jars, boolean merges)
      throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    for (Path jar : jars) {
      try (JarFile from = new JarFile(jar.toFile())) {
        for (JarEntry entry : Collections.list(from.entries())) {
          String name = entry.getName();
          byte[] content = from.getInputStream(entry).readAllBytes();
          if (!entry.isDirectory() && !name.equals(JarFile.MANIFEST_NAME)) {
            boolean both = merges && name.startsWith("META-INF/services/");
            entries.merge(name, content, (first, next) -> both ? lines(first, next) : first);
          }
        }
      }
    }
    return write(merged, main, entries);
  }

  private static byte[] lines(byte[] first, byte[] next) {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(first);
    both.write('\n');
    both.writeBytes(next);
    return both.toByteArray();
  }

  private static Path write(Path jar, Class<?> main, Map<String, byte[]> entries)
      throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, main.getName());
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new JarEntry(entry.getKey()));
        out.write(entry.getValue());
      }
    }
    return jar;
  }
}
