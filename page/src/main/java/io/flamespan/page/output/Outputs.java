/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.gate.Verdict;
import io.flamespan.page.model.Join;
import io.flamespan.page.model.Profiles;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Writes all files. */
public final class Outputs {
  private static final String PAGE = "flame-graphs.html";
  private static final String SPEEDSCOPE = "speedscope.json";
  private static final String FIREFOX = "firefox-profile.json";
  private static final String PPROF = "profile.pb.gz";
  private static final String JSON = "summary.json";
  private static final String MARKDOWN = "summary.md";

  private Outputs() {}

  public static Set<String> names() {
    return Set.of(PAGE, SPEEDSCOPE, PPROF, FIREFOX, JSON, MARKDOWN);
  }

  /** Without pprof's file. */
  public static Set<String> namesWithoutSamples() {
    return Set.of(PAGE, SPEEDSCOPE, JSON, MARKDOWN);
  }

  /**
   * The sums of the samples on the page, counted while writing.
   *
   * @param baseline zero without a comparison
   */
  public record Written(Tally page, Tally baseline) {}

  /** Without pprof's file. */
  public static Written write(
      Path directory, Results results, Optional<Comparison> comparison, List<String> problems)
      throws IOException {
    return write(directory, results, comparison, Optional.empty(), problems);
  }

  private static Written write(
      Path directory,
      Results results,
      Optional<Comparison> comparison,
      Optional<Verdict> verdict,
      List<String> problems)
      throws IOException {
    Files.createDirectories(directory);
    PageData data = new PageData(results, comparison);
    Page.write(directory.resolve(PAGE), data, problems);
    new Speedscope(results).write(directory.resolve(SPEEDSCOPE));
    SummaryJson.write(directory.resolve(JSON), results, comparison, verdict);
    SummaryMarkdown.write(directory.resolve(MARKDOWN), results, comparison, verdict);
    return new Written(data.written(), data.writtenBaseline());
  }

  /**
   * Also writes the files for pprof and the Firefox Profiler, for which all samples have to be in
   * memory.
   */
  public static Written write(
      Path directory,
      Results results,
      Optional<Comparison> comparison,
      Optional<Verdict> verdict,
      List<String> problems,
      Join join,
      Profiles profiles)
      throws IOException {
    Files.createDirectories(directory);
    FutureTask<Void> pprof =
        new FutureTask<>(
            () -> {
              new Pprof(join, profiles).write(directory.resolve(PPROF));
              new FirefoxProfile(join, profiles).write(directory.resolve(FIREFOX));
              return null;
            });
    new Thread(pprof, "pprof").start();
    Written written = write(directory, results, comparison, verdict, problems);
    try {
      pprof.get();
    } catch (ExecutionException | InterruptedException e) {
      if (e.getCause() instanceof Error error) { // such as of a heap that is too small
        throw error;
      }
      throw new IOException("cannot write " + directory.resolve(PPROF), e);
    }
    return written;
  }
}
