/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.compatibility.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The range of Java versions that a row runs on. */
record JavaVersions(int first, int last) {

  /** Reads "17" for 17 and later, or "11..23", or "-" for any. */
  static JavaVersions parse(String text) {
    if (text.equals("-")) {
      return new JavaVersions(0, Integer.MAX_VALUE);
    }
    String[] limits = text.split("\\.\\.");
    return new JavaVersions(
        Integer.parseInt(limits[0]),
        limits.length == 1 ? Integer.MAX_VALUE : Integer.parseInt(limits[1]));
  }

  /** Returns the first Java home with a version in the range, or null. */
  Path choose(List<Path> homes) throws IOException {
    for (Path home : homes) {
      int version = version(home);
      if (version >= first && version <= last) {
        return home;
      }
    }
    return null;
  }

  /** Returns the major version from the file "release", or -1 if it cannot be read there. */
  private static int version(Path home) throws IOException {
    Path release = home.resolve("release");
    if (Files.exists(release)) {
      for (String line : Files.readAllLines(release)) {
        if (line.startsWith("JAVA_VERSION=")) {
          return Runtime.Version.parse(line.substring(line.indexOf('"') + 1, line.lastIndexOf('"')))
              .feature();
        }
      }
    }
    return -1;
  }

  @Override
  public String toString() {
    return last == Integer.MAX_VALUE ? first + " or later" : first + " to " + last;
  }
}
