/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.input.InputFiles;
import io.flamespan.page.input.Problems;
import io.flamespan.page.output.Outputs;
import io.flamespan.page.results.StackTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The files that the arguments name, read and joined.
 *
 * @param notes the problems of the input
 */
record FileSets(FileSet set, Optional<FileSet> baseline, List<String> notes) {

  /** The log receives lines while files are read. */
  static FileSets read(Arguments arguments, Consumer<String> log) throws IOException {
    Problems problems = new Problems();
    Problems ofBaseline = new Problems();
    List<Path> files = InputFiles.of(arguments.inputs(), Outputs.names(), problems);
    List<Path> baselineFiles = InputFiles.of(arguments.baseline(), Outputs.names(), ofBaseline);
    refuseFilesOfBoth(files, baselineFiles);
    boolean compares = !arguments.baseline().isEmpty();
    int mostStacks = StackTree.limitFor(Runtime.getRuntime().maxMemory()) / (compares ? 2 : 1);
    FileSet set = FileSet.read(files, problems, mostStacks, log);
    Optional<FileSet> baseline =
        compares
            ? Optional.of(FileSet.read(baselineFiles, ofBaseline, mostStacks, log))
            : Optional.empty();
    if (set.isEmpty()) {
      throw nothing(arguments.inputs(), problems);
    }
    List<String> notes = new ArrayList<>(problems.lines());
    ofBaseline.lines().forEach(line -> notes.add("baseline: " + line));
    return new FileSets(set, baseline, notes);
  }

  /** From nothing comes no page and no answer. */
  static IOException nothing(List<Path> named, Problems problems) {
    List<String> reasons = problems.lines();
    String names = named.stream().map(Path::toString).collect(Collectors.joining(", "));
    return new IOException(
        "no span and no sample in "
            + names
            + ": "
            + (reasons.isEmpty()
                ? "there is no file of OTLP; did the application run, and end, with the profiler?"
                : reasons.get(0)));
  }

  Optional<Comparison> comparison() {
    return baseline.map(before -> Comparison.of(before.results(), set.results()));
  }

  static void refuseFilesOfBoth(List<Path> files, List<Path> baseline) throws IOException {
    Set<Path> real = new HashSet<>();
    for (Path file : baseline) {
      real.add(file.toRealPath());
    }
    for (Path file : files) {
      if (real.contains(file.toRealPath())) {
        throw new IOException(file + " is also in the baseline; a file must not be in both sets");
      }
    }
  }
}
