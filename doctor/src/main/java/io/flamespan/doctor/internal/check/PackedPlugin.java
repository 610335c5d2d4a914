/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** What of the plug-in is in a jar with another name, such as the jar of a whole application. */
final class PackedPlugin {
  private static final String CLASS = "io/flamespan/correlation/ProfilingCorrelation.class";
  private static final String NESTED = "(BOOT-INF|WEB-INF)/lib/flamespan-\\d[^/]*\\.jar";
  private static final String SERVICES =
      "META-INF/services/io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider";
  private static final String LISTED =
      "io.flamespan.correlation.internal.autoconfigure.ProfilingCorrelationAutoConfig";
  private static final int MAX_SIZE = 1 << 16; // of the file in the jar
  private static final PackedPlugin NONE = new PackedPlugin(Collections.emptyList(), false);

  /** Where in the jar it is: "" for its classes, and the path of each jar in it. */
  final List<String> places;

  /** Whether its classes are there, and not named in the file by which an SDK finds them. */
  final boolean isUnlisted;

  private PackedPlugin(List<String> places, boolean isUnlisted) {
    this.places = places;
    this.isUnlisted = isUnlisted;
  }

  /** Looks into a file. One that is no jar, or cannot be read, has nothing of the plug-in. */
  static PackedPlugin in(Path file) {
    if (!Files.isRegularFile(file)) {
      return NONE; // reading a pipe would block
    }
    try (ZipFile jar = new ZipFile(file.toFile())) {
      List<String> places = new ArrayList<>();
      boolean hasClasses = jar.getEntry(CLASS) != null;
      if (hasClasses) {
        places.add("");
      }
      for (Enumeration<? extends ZipEntry> all = jar.entries(); all.hasMoreElements(); ) {
        String name = all.nextElement().getName();
        if (name.matches(NESTED)) {
          places.add("!/" + name);
        }
      }
      return new PackedPlugin(places, hasClasses && !isListed(jar));
    } catch (IOException | RuntimeException | OutOfMemoryError e) { // of a directory without end
      return NONE;
    }
  }

  private static boolean isListed(ZipFile jar) throws IOException {
    ZipEntry services = jar.getEntry(SERVICES);
    if (services == null) {
      return false;
    }
    byte[] content = new byte[MAX_SIZE];
    int length = 0;
    try (InputStream in = jar.getInputStream(services)) {
      int n = 0;
      while (n >= 0 && length < MAX_SIZE) {
        length += n;
        n = in.read(content, length, MAX_SIZE - length);
      }
    }
    return new String(content, 0, length, UTF_8).contains(LISTED);
  }
}
