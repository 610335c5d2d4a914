/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.springboot;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** Makes an executable jar as Spring Boot's plugins for build tools do. */
final class ExecutableJar {
  private ExecutableJar() {}

  /** Packs the test application with these libraries of the class path, and these jars. */
  static Path pack(Path jar, List<String> libraries, List<Path> jars) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Start-Class", BootApp.class.getName());
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      out.putNextEntry(new JarEntry("BOOT-INF/classes/"));
      for (Class<?> type : List.of(BootApp.class, TracedPart.class)) {
        String file = type.getName().replace('.', '/') + ".class";
        try (InputStream in = type.getResourceAsStream("/" + file)) {
          put(out, "BOOT-INF/classes/" + file, in.readAllBytes());
        }
      }
      for (Path library : jars) {
        put(out, "BOOT-INF/lib/" + library.getFileName(), Files.readAllBytes(library));
      }
      for (String entry : classPath()) {
        Path library = Path.of(entry);
        String name = library.getFileName().toString();
        if (name.startsWith("spring-boot-loader-")) {
          copyClasses(library, out);
        } else if (libraries.stream().anyMatch(name::startsWith)) {
          put(out, "BOOT-INF/lib/" + name, Files.readAllBytes(library));
        }
      }
    }
    return jar;
  }

  static List<String> classPath() {
    String whole =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return List.of(whole.split(File.pathSeparator));
  }

  /** Returns the jar that a class comes from, or one of what is in its directory. */
  static Path jarOf(Class<?> type, Path otherwise) throws Exception {
    Path entry = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isRegularFile(entry)) {
      return entry;
    }
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(otherwise));
        Stream<Path> files = Files.walk(entry)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        put(out, entry.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return otherwise;
  }

  /** Returns one jar of several, without a file of this name. */
  static Path merge(Path merged, List<Path> jars, String lost) throws IOException {
    Set<String> seen = new HashSet<>(Set.of(lost));
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(merged))) {
      for (Path jar : jars) {
        try (JarFile from = new JarFile(jar.toFile())) {
          for (JarEntry entry : Collections.list(from.entries())) {
            String name = entry.getName();
            if (!entry.isDirectory() && seen.add(name)) {
              put(out, name, from.getInputStream(entry).readAllBytes());
            }
          }
        }
      }
    }
    return merged;
  }

  private static void copyClasses(Path from, JarOutputStream out) throws IOException {
    try (JarFile jar = new JarFile(from.toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().endsWith(".class")) {
          put(out, entry.getName(), jar.getInputStream(entry).readAllBytes());
        }
      }
    }
  }

  /** Adds an entry that is not compressed, as the launcher demands of nested jars. */
  private static void put(JarOutputStream out, String name, byte[] content) throws IOException {
    JarEntry entry = new JarEntry(name);
    entry.setMethod(JarEntry.STORED);
    entry.setSize(content.length);
    CRC32 crc = new CRC32();
    crc.update(content);
    entry.setCrc(crc.getValue());
    out.putNextEntry(entry);
    out.write(content);
    out.closeEntry();
  }
}
