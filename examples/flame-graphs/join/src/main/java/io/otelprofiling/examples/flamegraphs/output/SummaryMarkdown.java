/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.examples.flamegraphs.output;

import io.otelprofiling.examples.flamegraphs.results.EndpointResult;
import io.otelprofiling.examples.flamegraphs.results.Results;
import io.otelprofiling.examples.flamegraphs.results.Tally;
import io.otelprofiling.examples.flamegraphs.results.Unjoined;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The figures of the page as tables in Markdown, for a comment on a change for instance. */
final class SummaryMarkdown {
  private SummaryMarkdown() {}

  static void write(Path file, Results results) throws IOException {
    List<EndpointResult> endpoints = results.endpoints(Integer.MAX_VALUE);
    long onPage = endpoints.stream().mapToLong(one -> one.tally().cpuNanos()).sum();
    try (PrintWriter out = new PrintWriter(TextFiles.writer(file))) {
      line(out, "| endpoint | service | requests | mean ms | p99 ms | CPU s | share | waiting s |");
      line(out, "| --- | --- | --: | --: | --: | --: | --: | --: |");
      for (EndpointResult endpoint : endpoints) {
        line(
            out,
            "| %s | %s | %d | %.1f | %.1f | %.3f | %.1f %% | %.3f |",
            text(endpoint.name()),
            text(endpoint.service()),
            endpoint.requests(),
            endpoint.meanNanos() / 1e6,
            endpoint.p99Nanos() / 1e6,
            endpoint.tally().cpuNanos() / 1e9,
            100.0 * endpoint.tally().cpuNanos() / Math.max(1, onPage),
            endpoint.tally().waitNanos() / 1e9);
      }
      line(out, "");
      line(out, "| samples | CPU s | waiting s |");
      line(out, "| --- | --: | --: |");
      sum(out, "received", results.received());
      for (Unjoined reason : Unjoined.values()) {
        sum(out, reason.reason(), results.unjoined(reason));
      }
      if (out.checkError()) {
        throw new IOException("cannot write " + file);
      }
    }
  }

  private static void sum(PrintWriter out, String what, Tally tally) {
    line(out, "| %s | %.3f | %.3f |", what, tally.cpuNanos() / 1e9, tally.waitNanos() / 1e9);
  }

  private static void line(PrintWriter out, String format, Object... values) {
    out.print(String.format(Locale.ROOT, format, values) + "\n");
  }

  /** Markup and line ends of a name would change the table. */
  private static String text(String name) {
    return name.replaceAll("\\s+", " ")
        .replaceAll("([\\\\`*_{}\\[\\]<>|#&~])", "\\\\$1")
        .replace("@", "&#64;"); // would notify somebody
  }
}
