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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
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

  /** The files, also of directories that are links, and of each directory once. */
  private static List<Path> below(Path directory, Problems problems) throws IOException {
    List<Path> files = new ArrayList<>();
    Set<Path> walked = new HashSet<>();
    Deque<Path> linked = new ArrayDeque<>();
    walk(directory, files, linked, walked, problems);
    while (!linked.isEmpty()) {
      Path next = linked.remove();
      try {
        walk(next, files, linked, walked, problems);
      } catch (IOException e) {
        addTo(problems, e);
      }
    }
    return files;
  }

  private static void walk(
      Path directory,
      Collection<Path> files,
      Collection<Path> linked,
      Set<Path> walked,
      Problems problems)
      throws IOException {
    Path real = directory.toRealPath();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path one, BasicFileAttributes attributes) {
            return walked.add(real.resolve(directory.relativize(one)))
                ? FileVisitResult.CONTINUE
                : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            try {
              Path target = attributes.isSymbolicLink() ? file.toRealPath() : file;
              if (attributes.isSymbolicLink() && Files.isDirectory(target)) {
                linked.add(target);
              } else {
                files.add(file);
              }
            } catch (IOException e) {
              addTo(problems, e);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (file.equals(directory)) {
              throw e;
            }
            addTo(problems, e);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path one, @Nullable IOException e) {
            if (e != null) {
              addTo(problems, e);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void addTo(Problems problems, IOException e) {
    if (!(e instanceof NoSuchFileException)) { // which was deleted meanwhile
      problems.add(OtlpFile.NOT_READ, FileErrors.line(e));
    }
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
