/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.input.InputFiles;
import io.flamespan.page.input.Problems;
import io.flamespan.page.model.Profiles;
import io.flamespan.page.model.Spans;
import io.flamespan.page.output.Outputs;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.serve.FollowedFiles;
import io.flamespan.page.serve.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Files that processes write, joined as often as they are asked for, and those of a baseline. */
final class ServedFiles implements Source {
  private final List<Path> named;
  private final FollowedFiles files;
  private final int mostStacks;
  private final Optional<FileSet> baseline;
  private final List<String> ofBaseline = new ArrayList<>();
  private volatile int found; // files

  /**
   * Reads the baseline.
   *
   * @param log receives a line meanwhile, if there is much to read
   * @throws IOException if a file does not exist
   */
  ServedFiles(Arguments arguments, Consumer<String> log) throws IOException {
    this(arguments, FollowedFiles.TURN, log);
  }

  /** The same, with so many bytes in a turn. */
  ServedFiles(Arguments arguments, long turn, Consumer<String> log) throws IOException {
    Problems problems = new Problems();
    List<Path> before = InputFiles.of(arguments.baseline(), Outputs.names(), problems);
    FileSets.refuseFilesOfBoth(
        InputFiles.of(arguments.inputs(), Outputs.names(), new Problems()), before);
    boolean compares = !arguments.baseline().isEmpty();
    mostStacks = StackTree.limitFor(Runtime.getRuntime().maxMemory()) / (compares ? 2 : 1);
    baseline =
        compares ? Optional.of(FileSet.read(before, problems, mostStacks, log)) : Optional.empty();
    problems.lines().forEach(line -> ofBaseline.add("baseline: " + line));
    named = arguments.inputs();
    files = new FollowedFiles(named, turn);
  }

  @Override
  public boolean read() throws IOException {
    boolean changed = files.read();
    found = files.size();
    return changed;
  }

  @Override
  public boolean readPart(BooleanSupplier enough) throws IOException {
    boolean changed = files.readPart(enough);
    found = files.size();
    return changed;
  }

  @Override
  public boolean isPart() {
    return files.isPart();
  }

  @Override
  public String nothing() {
    return found == 0
        ? "There is no file in "
            + named.stream().map(Path::toString).collect(Collectors.joining(", "))
            + " yet; a process with the embedded profiler writes one a second after its start"
        : "There is no span and no sample yet in "
            + (found == 1 ? "the file" : "the " + found + " files");
  }

  @Override
  public Optional<Joined> join() throws IOException {
    Problems problems = new Problems();
    Spans spans = new Spans(problems);
    Profiles profiles = new Profiles(problems, new StackTree(mostStacks));
    files.addTo(spans, profiles, problems);
    FileSet set = FileSet.joined(files.size(), spans, profiles, problems);
    List<String> notes = new ArrayList<>(problems.lines());
    if (set.isEmpty()) {
      if (!notes.isEmpty() && !files.haveRest() && !files.isPart()) {
        throw FileSets.nothing(named, problems);
      }
      return Optional.empty();
    }
    notes.addAll(ofBaseline);
    ManySamples.line(files.expectedSamples()).ifPresent(notes::add);
    if (files.isPart()) {
      notes.add(0, (int) (100 * files.readShare()) + " % of the files are read");
    }
    return Optional.of(
        new Joined(
            set.results(),
            baseline.map(before -> Comparison.of(before.results(), set.results())),
            notes));
  }
}
