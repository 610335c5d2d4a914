/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page;

import io.otelprofiling.page.comparison.Comparison;
import io.otelprofiling.page.input.FileErrors;
import io.otelprofiling.page.input.InputFiles;
import io.otelprofiling.page.output.Outputs;
import io.otelprofiling.page.results.StackTree;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Joins traces with profiles, both as the OpenTelemetry Collector's file exporter or its ClickHouse
 * exporter writes them.
 */
public final class FlameGraphs {
  private FlameGraphs() {}

  public static void main(String[] arguments) {
    System.exit(run(arguments, System.out, System.err));
  }

  /** The exit status: 0, 1 if a check of the result fails, 2 if the input cannot be read. */
  static int run(String[] arguments, PrintStream out, PrintStream err) {
    if (List.of(arguments).equals(List.of("--version"))) {
      String version = FlameGraphs.class.getPackage().getImplementationVersion();
      out.println(version == null ? "unknown: this is not the jar" : version);
      return 0;
    }
    try {
      Arguments read = Arguments.of(arguments);
      return read.clickHouse().isPresent()
          ? ClickHouseRun.run(read.clickHouse().get(), read.output(), out)
          : run(read, out);
    } catch (Arguments.UsageException e) {
      err.println(e.getMessage());
      return 2;
    } catch (IOException e) {
      err.println(FileErrors.line(e));
      return 2;
    } catch (UncheckedIOException e) {
      err.println(FileErrors.line(e.getCause()));
      return 2;
    } catch (OutOfMemoryError e) {
      long megabytes = Runtime.getRuntime().maxMemory() >> 20;
      err.println(
          "a heap of " + megabytes + " MB is too small for this input; give more with -Xmx");
      return 2;
    }
  }

  private static int run(Arguments arguments, PrintStream out) throws IOException {
    Path directory = arguments.output();
    Problems problems = new Problems();
    Problems ofBaseline = new Problems();
    List<Path> files = InputFiles.of(arguments.inputs(), Outputs.names(), problems);
    List<Path> baselineFiles = InputFiles.of(arguments.baseline(), Outputs.names(), ofBaseline);
    refuseFilesOfBoth(files, baselineFiles);
    boolean compares = !arguments.baseline().isEmpty();
    int mostStacks = StackTree.limitFor(Runtime.getRuntime().maxMemory()) / (compares ? 2 : 1);
    FileSet set = FileSet.read(files, problems, mostStacks);
    List<String> notes = new ArrayList<>(problems.lines());
    Optional<FileSet> baseline = Optional.empty();
    if (compares) {
      baseline = Optional.of(FileSet.read(baselineFiles, ofBaseline, mostStacks));
      ofBaseline.lines().forEach(line -> notes.add("baseline: " + line));
    }
    Optional<Comparison> comparison =
        baseline.map(read -> Comparison.of(read.results(), set.results()));
    Outputs.Written written =
        Outputs.write(directory, set.results(), comparison, notes, set.join(), set.profiles());
    notes.forEach(line -> out.println("note: " + line));
    boolean agrees = set.print(out, written.page());
    if (baseline.isPresent()) {
      out.println("baseline:");
      agrees &= baseline.get().print(out, written.baseline());
    }
    Outputs.names().stream()
        .sorted()
        .forEach(name -> out.println("written: " + directory.resolve(name)));
    return agrees ? 0 : 1;
  }

  private static void refuseFilesOfBoth(List<Path> files, List<Path> baseline) throws IOException {
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
