/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.benchmark;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** A copy of a Spring Boot jar without the plug-in. */
final class JarWithout {
  private static final Pattern PLUGIN = Pattern.compile("flamespan-[\\w.-]*\\.jar");

  /** Returns whether this is the path of the plug-in's jar. */
  static boolean isPlugin(String path) {
    return PLUGIN.matcher(path.substring(path.lastIndexOf('/') + 1)).matches();
  }

  static Path copy(Path jar, Path copy) throws IOException {
    try (ZipFile from = new ZipFile(jar.toFile());
        OutputStream file = Files.newOutputStream(copy);
        ZipOutputStream to = new ZipOutputStream(file)) {
      for (Enumeration<? extends ZipEntry> all = from.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        if (!isPlugin(entry.getName())) {
          copy(from, entry, to);
        }
      }
    }
    return copy;
  }

  private static void copy(ZipFile from, ZipEntry entry, ZipOutputStream to) throws IOException {
    byte[] content;
    try (InputStream in = from.getInputStream(entry)) {
      content = in.readAllBytes();
    }
    if (entry.getName().endsWith(".idx")) {
      content =
          new String(content, StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !isPlugin(line.replaceAll("[\"\\s]+$", "")))
              .collect(Collectors.joining("\n", "", "\n"))
              .getBytes(StandardCharsets.UTF_8);
    }
    // Keeps the compression method: Spring Boot reads nested jars only if they are not compressed.
    ZipEntry copied = new ZipEntry(entry.getName());
    copied.setMethod(entry.getMethod());
    copied.setSize(content.length);
    CRC32 crc = new CRC32();
    crc.update(content);
    copied.setCrc(crc.getValue());
    to.putNextEntry(copied);
    to.write(content);
    to.closeEntry();
  }

  private JarWithout() {}
}
