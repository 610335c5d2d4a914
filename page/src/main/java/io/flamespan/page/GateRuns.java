/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.gate.EndpointCosts;
import io.flamespan.page.gate.Gate;
import io.flamespan.page.gate.Rules;
import io.flamespan.page.gate.Run;
import io.flamespan.page.gate.Sides;
import io.flamespan.page.gate.Verdict;
import io.flamespan.page.input.InputFiles;
import io.flamespan.page.input.Problems;
import io.flamespan.page.model.ReceivedSpan;
import io.flamespan.page.output.GateMarkdown;
import io.flamespan.page.output.Markdown;
import io.flamespan.page.output.Outputs;
import io.flamespan.page.results.StackTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Reads the runs that a gate compares: each name is one, or all names of a side are if none has
 * both spans and samples, unless all have spans and no samples are needed.
 */
final class GateRuns {
  private final int mostStacks;
  private final boolean needSamples;
  private final Problems problems = new Problems();
  private final Consumer<String> log;
  private final Map<String, ReceivedSpan> firstOfRuns = new HashMap<>();

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
    runs.refuseCopies(sides);
    notes.addAll(runs.problems.lines());
    return Gate.judge(rules.with(limits(rules, sides)), sides);
  }

  /** By the exact names of the endpoints that the rules name as the table prints them. */
  private static Map<String, Double> limits(Rules rules, Sides sides) {
    Map<String, Set<String>> meant = new HashMap<>();
    Stream.concat(sides.a().stream(), sides.b().stream())
        .flatMap(run -> run.endpoints().stream())
        .map(EndpointCosts::name)
        .forEach(
            name -> {
              String printed = GateMarkdown.name(name);
              for (String form : List.of(printed, Markdown.shown(printed), name)) {
                meant.computeIfAbsent(form.strip(), added -> new HashSet<>()).add(name);
              }
            });
    Map<String, Double> limits = new LinkedHashMap<>();
    rules
        .limits()
        .forEach(
            (asked, limit) -> {
              Set<String> names = meant.getOrDefault(asked.strip(), Set.of(Markdown.shown(asked)));
              (names.contains(asked) ? Set.of(asked) : names)
                  .forEach(name -> limits.put(name, limit));
            });
    return limits;
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

  private void refuseCopies(Sides sides) throws IOException {
    Map<ReceivedSpan, Run> known = new HashMap<>();
    for (List<Run> side : List.of(sides.a(), sides.b())) {
      for (Run run : side) {
        ReceivedSpan first = firstOfRuns.get(run.name());
        Run other = first == null ? null : known.putIfAbsent(first, run);
        if (other != null && other.received().equalTo(run.received())) {
          throw new IOException(
              run.name() + " has the same first request and samples as " + other.name());
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
      if (named.size() > 1) {
        problems.add(
            "names taken as one run",
            named.size() + ", as none has both spans and samples, from " + named.get(0));
      }
      runs = List.of(run(named, read(named, problems)));
    } else {
      problems.addAll(ofRuns);
    }
    return runs;
  }

  private FileSet read(List<Path> named, Problems to) throws IOException {
    return FileSet.read(InputFiles.of(named, Outputs.names(), to), to, mostStacks, log);
  }

  private Run run(List<Path> named, FileSet set) {
    String name = String.join(", ", named.stream().map(Path::toString).toList());
    set.spans().all().stream()
        .min(Comparator.comparingLong(ReceivedSpan::startNanos))
        .ifPresent(first -> firstOfRuns.put(name, first));
    return Run.of(name, set.spans(), set.join(), set.results());
  }
}
