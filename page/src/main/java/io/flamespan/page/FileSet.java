/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.input.Messages;
import io.flamespan.page.input.OtlpFile;
import io.flamespan.page.input.Problems;
import io.flamespan.page.model.Join;
import io.flamespan.page.model.JoinedResults;
import io.flamespan.page.model.Profiles;
import io.flamespan.page.model.ReadProfiles;
import io.flamespan.page.model.ReadTraces;
import io.flamespan.page.model.RecentTexts;
import io.flamespan.page.model.Spans;
import io.flamespan.page.results.StackTree;
import io.flamespan.page.results.Tally;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A set of files after reading and joining. */
record FileSet(int files, Spans spans, Profiles profiles, Join join, JoinedResults results) {

  /**
   * Reads and joins the files.
   *
   * @param mostStacks the most nodes of the tree of stacks
   * @param log receives a line while files are read, if there is much to read
   */
  static FileSet read(List<Path> files, Problems problems, int mostStacks, Consumer<String> log) {
    ManySamples many = new ManySamples(log);
    Spans spans = new Spans(problems);
    Profiles profiles = new Profiles(problems, new StackTree(mostStacks));
    RecentTexts texts = new RecentTexts();
    Messages messages =
        new Messages() {
          @Override
          public Message traces() {
            return new ReadTraces(spans::add);
          }

          @Override
          public Message profiles() {
            return new ReadProfiles(
                texts,
                (read, where) -> {
                  profiles.add(read, where);
                  many.add(read.samples());
                });
          }
        };
    for (Path file : files) {
      many.begin(file.toFile().length());
      OtlpFile.read(file, messages, problems, many::read);
    }
    return joined(files.size(), spans, profiles, problems);
  }

  /** Joins what was read of so many files. */
  static FileSet joined(int files, Spans spans, Profiles profiles, Problems problems) {
    spans.report();
    profiles.report();
    Join join = new Join(spans, profiles, problems);
    return new FileSet(
        files, spans, profiles, join, new JoinedResults(join, spans, profiles, problems));
  }

  boolean isEmpty() {
    return spans.all().isEmpty() && results.received().isEmpty();
  }

  /** Whether it has only traces or only profiles, as one of several files may. */
  boolean isIncomplete() {
    return spans.all().isEmpty() || results.received().isEmpty();
  }

  /** Prints the summary. Returns whether the sums of input and output agree. */
  boolean print(PrintStream out, Tally onPage) {
    out.printf(
        "%d files, %d spans, %d endpoints%n", files, spans.all().size(), join.endpoints().size());
    Summary summary = new Summary(results, onPage);
    summary.print(out);
    int compared = join.stackTraceIds().compared();
    int different = join.stackTraceIds().different();
    out.printf(
        "%s: %d of %d spans with stack trace ids have as many samples%n",
        different == 0 ? "ok" : "differ", compared - different, compared);
    return summary.sumsAgree();
  }
}
