/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the command line says. */
record Arguments(List<Path> inputs, List<Path> baseline, Path output) {
  private static final String USAGE =
      """
      usage: java -jar flame-graphs-join.jar [--out DIRECTORY] [--baseline FILE_OR_DIRECTORY]...
               FILE_OR_DIRECTORY...

      Reads traces and profiles as the OpenTelemetry Collector's file exporter writes them, OTLP
      JSON or protobuf, gzip or not, and writes flame-graphs.html, speedscope.json, profile.pb.gz,
      summary.json and summary.md into the directory, which is the current one by default.
      With a baseline, files of an earlier deployment for instance, the page and the summary also
      compare the two. The option may be repeated.""";

  static final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
      super(message);
    }
  }

  static Arguments of(String[] arguments) throws UsageException {
    List<Path> inputs = new ArrayList<>();
    List<Path> baseline = new ArrayList<>();
    Path output = Path.of("");
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--out" -> output = Path.of(valueOf(arguments, i++, "a directory"));
        case "--baseline" -> baseline.add(Path.of(valueOf(arguments, i++, "a file or directory")));
        default -> {
          if (arguments[i].startsWith("--")) {
            throw new UsageException(arguments[i] + " is not understood\n" + USAGE);
          }
          inputs.add(Path.of(arguments[i]));
        }
      }
    }
    if (inputs.isEmpty() && !baseline.isEmpty()) {
      throw new UsageException(
          "--baseline " + baseline.get(0) + " needs files to compare it with; name them behind it");
    }
    if (inputs.isEmpty()) {
      throw new UsageException(USAGE);
    }
    return new Arguments(inputs, baseline, output);
  }

  private static String valueOf(String[] arguments, int option, String what) throws UsageException {
    if (option + 1 == arguments.length || arguments[option + 1].startsWith("--")) {
      throw new UsageException(arguments[option] + " needs " + what + " behind it\n" + USAGE);
    }
    return arguments[option + 1];
  }
}
