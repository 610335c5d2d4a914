/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs;

import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.trace.v1.TracesData;
import io.otelprofiling.examples.flamegraphs.input.IdForm;
import io.otelprofiling.examples.flamegraphs.input.InputFiles;
import io.otelprofiling.examples.flamegraphs.input.Messages;
import io.otelprofiling.examples.flamegraphs.input.OtlpFile;
import io.otelprofiling.examples.flamegraphs.model.Join;
import io.otelprofiling.examples.flamegraphs.model.Profiles;
import io.otelprofiling.examples.flamegraphs.model.Spans;
import io.otelprofiling.examples.flamegraphs.model.StackTree;
import io.otelprofiling.examples.flamegraphs.model.Tally;
import io.otelprofiling.examples.flamegraphs.output.Outputs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

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
    List<Path> files = InputFiles.of(arguments.inputs(), Outputs.names());
    Problems problems = new Problems();
    Spans spans = new Spans(problems);
    int limit = StackTree.limitFor(Runtime.getRuntime().maxMemory());
    Profiles profiles = new Profiles(problems, new StackTree(limit));
    Messages messages =
        new Messages() {
          @Override
          public void traces(TracesData traces, IdForm ids, String where) {
            spans.add(traces, ids, where);
          }

          @Override
          public void profiles(ProfilesData data, IdForm ids, String where) {
            profiles.add(data, ids, where);
          }
        };
    files.forEach(file -> OtlpFile.read(file, messages, problems));
    Join join = new Join(spans, profiles, problems);
    Tally page = Outputs.write(arguments.output(), join, spans, profiles, problems.lines());
    Summary summary = new Summary(files.size(), join, spans, profiles, page);
    problems.lines().forEach(line -> out.println("note: " + line));
    summary.print(out, arguments.output());
    return summary.status();
  }
}
