/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the command line says. */
record Arguments(List<Path> inputs, Path output) {
  private static final String USAGE =
      """
      usage: java -jar flame-graphs-join.jar [--out DIRECTORY] FILE_OR_DIRECTORY...

      Reads traces and profiles as the OpenTelemetry Collector's file exporter writes them, OTLP
      JSON or protobuf, gzip or not, and writes flame-graphs.html, speedscope.json, profile.pb.gz,
      summary.json and summary.md into the directory, which is the current one by default.""";

  static final class UsageException extends Exception {
    private static final long serialVersionUID = 1;

    UsageException(String message) {
      super(message);
    }
  }

  static Arguments of(String[] arguments) throws UsageException {
    List<Path> inputs = new ArrayList<>();
    Path output = Path.of("");
    for (int i = 0; i < arguments.length; i++) {
      if (!arguments[i].startsWith("--")) {
        inputs.add(Path.of(arguments[i]));
      } else if (arguments[i].equals("--out") && i + 1 < arguments.length) {
        output = Path.of(arguments[++i]);
      } else {
        throw new UsageException(arguments[i] + " is not understood\n" + USAGE);
      }
    }
    if (inputs.isEmpty()) {
      throw new UsageException(USAGE);
    }
    return new Arguments(inputs, output);
  }
}
