/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The files that the arguments name, with all files in directories. */
public final class InputFiles {
  private InputFiles() {}

  /** Each file once, without the output of an earlier run. */
  public static List<Path> of(
      List<Path> filesAndDirectories, Set<String> outputNames, Problems problems)
      throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path argument : filesAndDirectories) {
      if (!Files.exists(argument)) {
        throw new IOException(
            argument
                + " does not exist; name files that the collector's file exporter has written");
      }
      if (Files.isDirectory(argument)) {
        try (Stream<Path> below = Files.walk(argument)) {
          below
              .filter(Files::isRegularFile)
              .filter(file -> !outputNames.contains(file.getFileName().toString()))
              .sorted()
              .forEach(files::add);
        }
      } else {
        files.add(argument);
      }
    }
    return once(files, problems);
  }

  private static List<Path> once(List<Path> files, Problems problems) throws IOException {
    Map<Path, Path> known = new LinkedHashMap<>();
    for (Path file : files) {
      Path first = known.putIfAbsent(file.toRealPath(), file);
      if (first != null) {
        problems.add("file named twice", file + " is the same file as " + first + ", read once");
      }
    }
    return List.copyOf(known.values());
  }
}
