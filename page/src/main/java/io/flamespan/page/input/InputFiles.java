/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files that the arguments name, with all files in directories. */
public final class InputFiles {
  private InputFiles() {}

  /**
   * Each file once, without the output of an earlier run. What cannot be read below a directory is
   * a problem.
   *
   * @throws IOException if a file does not exist, or a directory that is named cannot be read
   */
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
        below(Files.isSymbolicLink(argument) ? argument.toRealPath() : argument, problems).stream()
            .filter(Files::isRegularFile)
            .filter(file -> !outputNames.contains(file.getFileName().toString()))
            .sorted()
            .forEach(files::add);
      } else {
        files.add(argument);
      }
    }
    return once(files, problems);
  }

  private static List<Path> below(Path directory, Problems problems) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files.add(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (file.equals(directory)) {
              throw e;
            }
            return failed(e);
          }

          @Override
          public FileVisitResult postVisitDirectory(Path one, @Nullable IOException e) {
            return e == null ? FileVisitResult.CONTINUE : failed(e);
          }

          private FileVisitResult failed(IOException e) {
            if (!(e instanceof NoSuchFileException)) { // which was deleted meanwhile
              problems.add(OtlpFile.NOT_READ, FileErrors.line(e));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static List<Path> once(List<Path> files, Problems problems) throws IOException {
    Map<Path, Path> known = new LinkedHashMap<>();
    for (Path file : files) {
      Path real;
      try {
        real = file.toRealPath();
      } catch (NoSuchFileException e) { // it was deleted meanwhile
        continue;
      }
      Path first = known.putIfAbsent(real, file);
      if (first != null) {
        problems.add("file named twice", file + " is the same file as " + first + ", read once");
      }
    }
    return List.copyOf(known.values());
  }
}
