/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The stand-in profilers of one process, one after the other. Not thread-safe. */
final class Profiler {
  private static final Pattern NUMBER = Pattern.compile("\"(\\w+)\": (\\d+)[,\\n]");
  private static final Pattern FOREIGN = Pattern.compile("should show span");

  private final Path standIn;
  private final Path directory;
  private final long pid;
  private final List<String> problems;
  private Process running;
  private int runs;
  private int killed;

  Profiler(Path standIn, Path directory, long pid, List<String> problems) {
    this.standIn = standIn;
    this.directory = directory;
    this.pid = pid;
    this.problems = problems;
  }

  void start() throws IOException {
    runs++;
    List<String> command = new ArrayList<>();
    command.add(standIn.toString());
    command.addAll(List.of("--pid", String.valueOf(pid), "--rate", "200", "--no-stacks"));
    command.addAll(List.of("--protocol", "both", "--retry-null", "--attach-timeout", "3600"));
    command.addAll(List.of("--expected", directory.resolve("expected").toString()));
    command.addAll(List.of("--records", file("records", runs).toString()));
    command.addAll(List.of("--sent", file("sent", runs).toString()));
    command.addAll(List.of("--summary", file("summary", runs).toString()));
    // The public profiler sends no registration message; others do, with various delays.
    command.addAll(
        runs % 3 == 0
            ? List.of("--no-registration")
            : List.of("--samples-delay", String.valueOf(200 * (runs % 5))));
    running =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(file("profiler", runs).toFile())
            .start();
  }

  private Path file(String name, int run) {
    return directory.resolve(name + "-" + run);
  }

  void stop(boolean kill) throws IOException, InterruptedException {
    if (!running.isAlive()) {
      problems.add("profiler " + runs + " ended by itself with status " + running.exitValue());
      return;
    }
    if (kill) {
      running.destroyForcibly();
      killed++;
    } else {
      running.destroy();
    }
    if (!running.waitFor(1, TimeUnit.MINUTES)) {
      problems.add("profiler " + runs + " does not end");
      running.destroyForcibly().waitFor();
    }
  }

  /** Called at the end of Soak in any case. */
  void kill() {
    running.destroyForcibly();
  }

  /** Returns how many were killed. Their last message may be missing in their files. */
  int killed() {
    return killed;
  }

  int runs() {
    return runs;
  }

  List<Path> files(String name) {
    List<Path> files = new ArrayList<>();
    for (int run = 1; run <= runs; run++) {
      if (Files.exists(file(name, run))) {
        files.add(file(name, run));
      }
    }
    return files;
  }

  /** Returns the sums of all counters of the profilers that were not killed. */
  Map<String, Long> counters() throws IOException {
    Map<String, Long> sums = new LinkedHashMap<>();
    for (Path summary : files("summary")) {
      Matcher number = NUMBER.matcher(Files.readString(summary));
      while (number.find()) {
        sums.merge(number.group(1), Long.valueOf(number.group(2)), Long::sum);
      }
    }
    return sums;
  }

  /** Returns how often any profiler, even a killed one, reported a trace on a wrong thread. */
  long foreign() throws IOException {
    long told = 0;
    for (Path output : files("profiler")) {
      told += FOREIGN.matcher(Files.readString(output)).results().map(MatchResult::start).count();
    }
    return told;
  }
}
