/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.output;

import io.otelprofiling.examples.flamegraphs.model.Join;
import io.otelprofiling.examples.flamegraphs.model.Profiles;
import io.otelprofiling.examples.flamegraphs.results.Results;
import io.otelprofiling.examples.flamegraphs.results.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The files that are written. */
public final class Outputs {
  private static final String PAGE = "flame-graphs.html";
  private static final String SPEEDSCOPE = "speedscope.json";
  private static final String PPROF = "profile.pb.gz";
  private static final String JSON = "summary.json";
  private static final String MARKDOWN = "summary.md";

  private Outputs() {}

  public static Set<String> names() {
    return Set.of(PAGE, SPEEDSCOPE, PPROF, JSON, MARKDOWN);
  }

  /** All but pprof's file. Returns what stands on the page, counted there. */
  public static Tally write(Path directory, Results results, List<String> problems)
      throws IOException {
    Files.createDirectories(directory);
    PageData data = new PageData(results);
    Page.write(directory.resolve(PAGE), data, problems);
    new Speedscope(results).write(directory.resolve(SPEEDSCOPE));
    SummaryJson.write(directory.resolve(JSON), results);
    SummaryMarkdown.write(directory.resolve(MARKDOWN), results);
    return data.written();
  }

  /** With pprof's file, which has all samples, so they have to be in memory. */
  public static Tally write(
      Path directory, Results results, List<String> problems, Join join, Profiles profiles)
      throws IOException {
    Files.createDirectories(directory);
    FutureTask<Void> pprof =
        new FutureTask<>(
            () -> {
              new Pprof(join, profiles).write(directory.resolve(PPROF));
              return null;
            });
    new Thread(pprof, "pprof").start();
    Tally written = write(directory, results, problems);
    try {
      pprof.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IOException("cannot write " + directory.resolve(PPROF), e);
    }
    return written;
  }
}
