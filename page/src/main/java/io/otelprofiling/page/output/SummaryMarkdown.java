/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.output;

import io.otelprofiling.page.comparison.Comparison;
import io.otelprofiling.page.comparison.EndpointChange;
import io.otelprofiling.page.results.EndpointResult;
import io.otelprofiling.page.results.Results;
import io.otelprofiling.page.results.Tally;
import io.otelprofiling.page.results.Unjoined;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The figures of the page as tables in Markdown, for instance for a comment on a pull request. */
final class SummaryMarkdown {
  private SummaryMarkdown() {}

  static void write(Path file, Results results, Optional<Comparison> comparison)
      throws IOException {
    List<EndpointResult> endpoints = results.endpoints(Integer.MAX_VALUE);
    long received = results.received().cpuNanos();
    try (PrintWriter out = new PrintWriter(TextFiles.writer(file))) {
      line(out, "| endpoint | service | requests | mean ms | p99 ms | CPU s | of all CPU | waiting s |");
      line(out, "| --- | --- | --: | --: | --: | --: | --: | --: |");
      for (EndpointResult endpoint : endpoints) {
        line(
            out,
            "| %s | %s | %d | %.1f | %.1f | %.3f | %.1f %% | %.3f |",
            Markdown.text(endpoint.name()),
            Markdown.text(endpoint.service()),
            endpoint.requests(),
            endpoint.meanNanos() / 1e6,
            endpoint.p99Nanos() / 1e6,
            endpoint.tally().cpuNanos() / 1e9,
            100.0 * endpoint.tally().cpuNanos() / Math.max(1, received),
            endpoint.tally().waitNanos() / 1e9);
      }
      line(out, "");
      line(out, "| samples | CPU s | waiting s |");
      line(out, "| --- | --: | --: |");
      sum(out, "received", results.received());
      for (Unjoined reason : Unjoined.values()) {
        sum(out, reason.reason(), results.unjoined(reason));
      }
      comparison.ifPresent(both -> comparison(out, both));
      if (out.checkError()) {
        throw new IOException("cannot write " + file);
      }
    }
  }

  /** Writes averages of a request, the endpoint that changed most first. */
  private static void comparison(PrintWriter out, Comparison comparison) {
    line(out, "");
    line(out, "Compared with the baseline, which comes first in each pair of columns:");
    line(out, "");
    line(
        out,
        "| endpoint | service | | requests | requests | CPU ms per request | CPU ms per request |"
            + " difference | mean ms | mean ms | difference |");
    line(out, "| --- | --- | --- | --: | --: | --: | --: | --: | --: | --: | --: |");
    for (EndpointChange change : comparison.changes()) {
      EndpointResult before = change.before();
      EndpointResult now = change.now();
      line(
          out,
          "| %s | %s | %s | %s | %s | %s | %s | %+.3f | %s | %s | %s |",
          Markdown.text(change.name()),
          Markdown.text(change.service()),
          change.kind().equals("both") ? "" : change.kind(),
          cell("%d", before, EndpointResult::requests),
          cell("%d", now, EndpointResult::requests),
          cell("%.3f", before, SummaryMarkdown::cpuMillis),
          cell("%.3f", now, SummaryMarkdown::cpuMillis),
          change.cpuPerRequestNanos() / 1e6,
          cell("%.1f", before, endpoint -> endpoint.meanNanos() / 1e6),
          cell("%.1f", now, endpoint -> endpoint.meanNanos() / 1e6),
          change.kind().equals("both")
              ? String.format(Locale.ROOT, "%+.1f", change.meanNanos() / 1e6)
              : "–");
    }
    line(out, "");
    line(out, "| samples of the baseline | CPU s | waiting s |");
    line(out, "| --- | --: | --: |");
    sum(out, "received", comparison.baseline().received());
    for (Unjoined reason : Unjoined.values()) {
      sum(out, reason.reason(), comparison.baseline().unjoined(reason));
    }
  }

  private static double cpuMillis(EndpointResult endpoint) {
    return endpoint.tally().cpuNanos() / 1e6 / endpoint.requests();
  }

  private static String cell(
      String format, EndpointResult endpoint, Function<EndpointResult, Object> figure) {
    return endpoint == null ? "–" : String.format(Locale.ROOT, format, figure.apply(endpoint));
  }

  private static void sum(PrintWriter out, String what, Tally tally) {
    line(out, "| %s | %.3f | %.3f |", what, tally.cpuNanos() / 1e9, tally.waitNanos() / 1e9);
  }

  private static void line(PrintWriter out, String format, Object... values) {
    out.print(String.format(Locale.ROOT, format, values) + "\n");
  }
}
