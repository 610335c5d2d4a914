/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.gate.Gate;
import io.flamespan.page.gate.Rules;
import io.flamespan.page.gate.Run;
import io.flamespan.page.gate.Sides;
import io.flamespan.page.gate.Verdict;
import io.flamespan.page.input.InputFiles;
import io.flamespan.page.input.Problems;
import io.flamespan.page.output.Outputs;
import io.flamespan.page.results.StackTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads the runs that a gate compares: each name is one, or all names of a side are if none has
 * both spans and samples, unless all have spans and no samples are needed.
 */
final class GateRuns {
  private final int mostStacks;
  private final boolean needSamples;
  private final Problems problems = new Problems();
  private final Consumer<String> log;

  private GateRuns(Arguments arguments, Rules rules, Consumer<String> log) {
    this.log = log;
    needSamples = rules.costs().stream().anyMatch(cost -> cost.measure() != null);
    int runs = arguments.inputs().size() + arguments.baseline().size();
    mostStacks = StackTree.limitFor(Runtime.getRuntime().maxMemory()) / runs;
  }

  /**
   * Judges the files that the arguments name.
   *
   * @param notes receives the problems of the input
   * @param log receives lines while files are read
   */
  static Verdict judge(Arguments arguments, Rules rules, List<String> notes, Consumer<String> log)
      throws IOException {
    refuseFilesOfTwo(arguments);
    GateRuns runs = new GateRuns(arguments, rules, log);
    Sides sides = new Sides(runs.side(arguments.baseline()), runs.side(arguments.inputs()));
    notes.addAll(runs.problems.lines());
    return Gate.judge(rules, sides);
  }

  /** Runs that are the same one would differ by nothing. */
  private static void refuseFilesOfTwo(Arguments arguments) throws IOException {
    Set<Path> known = new HashSet<>();
    for (List<Path> side : List.of(arguments.baseline(), arguments.inputs())) {
      for (Path run : side) {
        for (Path file : InputFiles.of(List.of(run), Outputs.names(), new Problems())) {
          if (!known.add(file.toRealPath())) {
            throw new IOException(file + " is named twice; a file must be in one run only");
          }
        }
      }
    }
  }

  private List<Run> side(List<Path> named) throws IOException {
    List<Run> runs = new ArrayList<>();
    Problems ofRuns = new Problems();
    boolean areParts = true;
    boolean haveSpans = true;
    for (Path one : named) {
      FileSet set = read(List.of(one), ofRuns);
      areParts &= set.isIncomplete();
      haveSpans &= !set.spans().all().isEmpty();
      runs.add(run(List.of(one), set));
    }
    if (areParts && (needSamples || !haveSpans)) {
      return List.of(run(named, read(named, problems)));
    }
    problems.addAll(ofRuns);
    return runs;
  }

  private FileSet read(List<Path> named, Problems to) throws IOException {
    return FileSet.read(InputFiles.of(named, Outputs.names(), to), to, mostStacks, log);
  }

  private static Run run(List<Path> named, FileSet set) {
    return Run.of(
        String.join(", ", named.stream().map(Path::toString).toList()),
        set.spans(),
        set.join(),
        set.results());
  }
}
