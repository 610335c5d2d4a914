/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.gate.Verdict;
import io.flamespan.page.input.FileErrors;
import io.flamespan.page.output.Outputs;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Joins traces with profiles, both as the OpenTelemetry Collector's file exporter or its ClickHouse
 * exporter writes them.
 */
public final class FlameGraphs {
  private FlameGraphs() {}

  public static void main(String[] arguments) {
    System.exit(run(NamesInArguments.inUtf8(arguments), System.in, System.out, System.err));
  }

  static String version() {
    String version = FlameGraphs.class.getPackage().getImplementationVersion();
    return version == null ? "unknown: this is not the jar" : version;
  }

  /**
   * The exit status: 0, 1 if a check of the result fails, 2 if the input cannot be read; of a gate,
   * its verdict's.
   */
  static int run(String[] arguments, InputStream in, PrintStream out, PrintStream err) {
    if (List.of(arguments).stream().noneMatch(one -> one.startsWith(Arguments.FAIL_ABOVE))) {
      return run(arguments, in, out, err, 2);
    }
    int failed = Verdict.Status.NOT_COMPARABLE.ordinal();
    try {
      return run(arguments, in, out, err, failed);
    } catch (RuntimeException | Error e) { // whose status would be that of a verdict
      err.println("nothing was compared: " + e);
      return failed;
    }
  }

  private static int run(
      String[] arguments, InputStream in, PrintStream out, PrintStream err, int failed) {
    if (List.of(arguments).equals(List.of("--version"))) {
      out.println(version());
      return 0;
    }
    if (List.of(arguments).contains("--help") || List.of(arguments).equals(List.of("-h"))) {
      out.println(Arguments.USAGE);
      return 0;
    }
    try {
      if (arguments.length > 0 && arguments[0].equals(PrintCommand.NAME)) {
        return PrintCommand.run(List.of(arguments).subList(1, arguments.length), out, err);
      }
      if (arguments.length > 0 && arguments[0].equals(SqlCommand.NAME)) {
        return SqlCommand.run(List.of(arguments).subList(1, arguments.length), out);
      }
      if (arguments.length > 0 && arguments[0].equals(ServeCommand.NAME)) {
        ServeCommand.run(List.of(arguments).subList(1, arguments.length), out, err);
        return 0;
      }
      Optional<AnswerCommand> answers = AnswerCommand.of(arguments);
      if (answers.isPresent()) {
        return answers.get().run(in, out, err);
      }
      Arguments read = Arguments.of(arguments);
      return read.clickHouse().isPresent()
          ? ClickHouseRun.run(read.clickHouse().get(), read.output(), out)
          : run(read, out, err);
    } catch (Arguments.UsageException e) {
      err.println(e.getMessage());
      return failed;
    } catch (IOException e) {
      err.println(FileErrors.line(e));
      return failed;
    } catch (UncheckedIOException e) {
      err.println(FileErrors.line(e));
      return failed;
    } catch (OutOfMemoryError e) {
      long megabytes = Runtime.getRuntime().maxMemory() >> 20;
      err.println(
          "a heap of "
              + megabytes
              + " MB is too small for this input; give more with -Xmx"
              + (joinsFiles(arguments) ? ", or " + ManySamples.REMEDY : ""));
      return failed;
    }
  }

  private static boolean joinsFiles(String[] arguments) {
    List<String> all = List.of(arguments);
    return !all.contains("--clickhouse")
        && all.stream().limit(1).noneMatch(List.of(PrintCommand.NAME, SqlCommand.NAME)::contains);
  }

  private static int run(Arguments arguments, PrintStream out, PrintStream err) throws IOException {
    Path directory = arguments.output();
    List<String> notes = new ArrayList<>(); // the same as the page's
    Optional<Verdict> verdict =
        arguments.gate().isPresent()
            ? Optional.of(GateRuns.judge(arguments, arguments.gate().get(), notes, err::println))
            : Optional.empty();
    FileSets sets = FileSets.read(arguments, err::println);
    FileSet set = sets.set();
    Outputs.Written written =
        Outputs.write(
            directory,
            set.results(),
            sets.comparison(),
            verdict,
            sets.notes(),
            set.join(),
            set.profiles());
    sets.notes().forEach(line -> out.println("note: " + line));
    boolean agrees = set.print(out, written.page());
    if (sets.baseline().isPresent()) {
      out.println("baseline:");
      agrees &= sets.baseline().get().print(out, written.baseline());
    }
    Outputs.names().stream()
        .sorted()
        .forEach(name -> out.println("written: " + directory.resolve(name)));
    if (verdict.isEmpty()) {
      return agrees ? 0 : 1;
    }
    out.println("verdict: " + verdict.get().status().text());
    return agrees ? verdict.get().exitStatus() : Verdict.Status.NOT_COMPARABLE.ordinal();
  }
}
