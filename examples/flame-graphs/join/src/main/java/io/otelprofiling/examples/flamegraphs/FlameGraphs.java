/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs;

import io.otelprofiling.examples.flamegraphs.input.InputFiles;
import io.otelprofiling.examples.flamegraphs.output.Outputs;
import io.otelprofiling.examples.flamegraphs.results.StackTree;
import io.otelprofiling.examples.flamegraphs.results.Tally;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;

/** Joins traces with profiles, both as the OpenTelemetry Collector's file exporter writes them. */
public final class FlameGraphs {
  private FlameGraphs() {}

  public static void main(String[] arguments) {
    System.exit(run(arguments, System.out, System.err));
  }

  /** The exit status: 0, 1 if a check of the result fails, 2 if there is nothing to work with. */
  static int run(String[] arguments, PrintStream out, PrintStream err) {
    try {
      Arguments read = Arguments.of(arguments);
      return run(read, out);
    } catch (Arguments.UsageException | IOException e) {
      err.println(e.getMessage());
      return 2;
    } catch (OutOfMemoryError e) {
      long megabytes = Runtime.getRuntime().maxMemory() >> 20;
      err.println("a heap of " + megabytes + " MB is too small for these files; give more by -Xmx");
      return 2;
    }
  }

  private static int run(Arguments arguments, PrintStream out) throws IOException {
    Path directory = arguments.output();
    Problems problems = new Problems();
    FileSet set =
        FileSet.read(
            InputFiles.of(arguments.inputs(), Outputs.names()),
            problems,
            StackTree.limitFor(Runtime.getRuntime().maxMemory()));
    Tally page =
        Outputs.write(directory, set.results(), problems.lines(), set.join(), set.profiles());
    Summary summary = new Summary(set.results(), page);
    problems.lines().forEach(line -> out.println("note: " + line));
    set.printInput(out);
    summary.print(out);
    set.printStackTraceIds(out);
    Outputs.names().stream()
        .sorted()
        .forEach(name -> out.println("written: " + directory.resolve(name)));
    return summary.sumsAgree() ? 0 : 1;
  }
}
