/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import io.flamespan.page.comparison.Comparison;
import io.flamespan.page.comparison.EndpointChange;
import io.flamespan.page.comparison.GroupComparison;
import io.flamespan.page.comparison.Groups;
import io.flamespan.page.comparison.SlowRequests;
import io.flamespan.page.gate.Verdict;
import io.flamespan.page.results.Column;
import io.flamespan.page.results.EndpointResult;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.OwnCode;
import io.flamespan.page.results.RequestStacks;
import io.flamespan.page.results.Results;
import io.flamespan.page.results.Sentence;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.Unjoined;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The figures of the page as tables in Markdown, for instance for a comment on a pull request. */
final class SummaryMarkdown {
  private static final int MOST_SENTENCES = 5;
  private static final int NODES = 5_000;
  private static final int MOST_OF_GATE = 20_000; // bytes: a comment has room for 65,536 characters

  private SummaryMarkdown() {}

  static void write(
      Path file, Results results, Optional<Comparison> comparison, Optional<Verdict> verdict)
      throws IOException {
    List<EndpointResult> endpoints = results.endpoints(Integer.MAX_VALUE);
    long received = results.received().cpuNanos();
    try (PrintWriter out = new PrintWriter(TextFiles.writer(file))) {
      List<Measure> more = more(results);
      if (verdict.isPresent()) {
        out.print(GateMarkdown.text(verdict.get(), MOST_OF_GATE));
        line(out, "");
        line(out, "<details><summary>All figures</summary>");
        line(out, "");
      }
      line(
          out,
          "| endpoint | service | requests | mean ms | p99 ms | CPU s | of all CPU | waiting s |%s",
          cells(more, SummaryMarkdown::title));
      line(out, "| --- | --- | --: | --: | --: | --: | --: | --: |%s", cells(more, one -> "--:"));
      for (EndpointResult endpoint : endpoints) {
        line(
            out,
            "| %s | %s | %d | %.1f | %.1f | %.3f | %.1f %% | %.3f |%s",
            Markdown.text(endpoint.name()),
            Markdown.text(endpoint.service()),
            endpoint.requests(),
            endpoint.meanNanos() / 1e6,
            endpoint.p99Nanos() / 1e6,
            endpoint.tally().cpuNanos() / 1e9,
            100.0 * endpoint.tally().cpuNanos() / Math.max(1, received),
            endpoint.tally().waitingNanos() / 1e9,
            cells(more, one -> amount(one, endpoint.tally())));
      }
      line(out, "");
      parts(out, endpoints, results);
      sums(out, "samples", results);
      comparison.ifPresent(both -> comparison(out, both));
      if (verdict.isPresent()) {
        line(out, "");
        line(out, "</details>");
      }
      if (out.checkError()) {
        throw new IOException("cannot write " + file);
      }
    }
  }

  /** Writes what the mean request of the slowest endpoints consists of. */
  private static void parts(PrintWriter out, List<EndpointResult> endpoints, Results results) {
    Sentence sentence = Sentence.of(results::recorded, Markdown::text);
    OwnCode own = OwnCode.withoutLibraries();
    endpoints.stream()
        .filter(endpoint -> endpoint.measured().durationNanos() > 0)
        .sorted(Comparator.comparingDouble(endpoint -> -endpoint.meanNanos()))
        .limit(MOST_SENTENCES)
        .forEach(
            endpoint -> {
              line(
                  out,
                  "- Mean request of %s: %s.",
                  Markdown.text(endpoint.name()),
                  sentence.ofMean(endpoint.measured(), endpoint.tree(NODES)));
              endpoint
                  .stacksForPage()
                  .ifPresent(stacks -> slow(out, endpoint, stacks, endpoints, own));
            });
    line(out, "");
  }

  /** Writes what the slowest requests do more of, if that is more than chance. */
  private static void slow(
      PrintWriter out,
      EndpointResult endpoint,
      RequestStacks stacks,
      List<EndpointResult> endpoints,
      OwnCode own) {
    Groups groups = Groups.byDuration(stacks);
    GroupComparison comparison = new GroupComparison(stacks, groups);
    stacks.methods(Set.of(Column.OWN), own, comparison);
    SlowRequests slow =
        new SlowRequests(
            stacks,
            groups,
            comparison,
            endpoint.tally().ofTime(),
            SlowRequests.part(endpoint, endpoints));
    Groups.Pair pair = slow.pair();
    if (!slow.causes(pair).isEmpty()) {
      line(out, "  Per request, %s.", slow.text(pair, Markdown::text));
    }
  }

  /** Writes averages of a request, the endpoint that changed most first. */
  private static void comparison(PrintWriter out, Comparison comparison) {
    line(out, "");
    line(
        out,
        "Compared with the baseline, which comes first in each pair of columns; a difference within"
            + " ± may be chance:");
    line(out, "");
    line(
        out,
        "| endpoint | service | | requests | requests | CPU ms per request | CPU ms per request |"
            + " difference | ± | mean ms | mean ms | difference |");
    line(out, "| --- | --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
    for (EndpointChange change : comparison.changes()) {
      EndpointResult before = change.before();
      EndpointResult now = change.now();
      line(
          out,
          "| %s | %s | %s | %s | %s | %s | %s | %+.3f | %s | %s | %s | %s |",
          Markdown.text(change.name()),
          Markdown.text(change.service()),
          change.kind().equals("both") ? "" : change.kind(),
          cell("%d", before, EndpointResult::requests),
          cell("%d", now, EndpointResult::requests),
          cell("%.3f", before, SummaryMarkdown::cpuMillis),
          cell("%.3f", now, SummaryMarkdown::cpuMillis),
          change.perRequest(Measure.CPU) / 1e6,
          plusMinus(change.plusMinus(Measure.CPU)),
          cell("%.1f", before, endpoint -> endpoint.meanNanos() / 1e6),
          cell("%.1f", now, endpoint -> endpoint.meanNanos() / 1e6),
          change.kind().equals("both")
              ? String.format(Locale.ROOT, "%+.1f", change.meanNanos() / 1e6)
              : "–");
    }
    line(out, "");
    sums(out, "samples of the baseline", comparison.baseline());
  }

  private static String plusMinus(double nanos) {
    return Double.isNaN(nanos) ? "unknown" : String.format(Locale.ROOT, "%.3f", nanos / 1e6);
  }

  private static double cpuMillis(EndpointResult endpoint) {
    return endpoint.tally().cpuNanos() / 1e6 / endpoint.requests();
  }

  private static String cell(
      String format, @Nullable EndpointResult endpoint, Function<EndpointResult, Object> figure) {
    return endpoint == null ? "–" : String.format(Locale.ROOT, format, figure.apply(endpoint));
  }

  private static void sums(PrintWriter out, String title, Results results) {
    List<Measure> more = more(results);
    line(out, "| %s | CPU s | waiting s |%s", title, cells(more, SummaryMarkdown::title));
    line(out, "| --- | --: | --: |%s", cells(more, one -> "--:"));
    sum(out, "received", results.received(), more);
    for (Unjoined reason : Unjoined.values()) {
      sum(out, reason.reason(), results.unjoined(reason), more);
    }
  }

  private static void sum(PrintWriter out, String what, Tally tally, List<Measure> more) {
    line(
        out,
        "| %s | %.3f | %.3f |%s",
        what,
        tally.cpuNanos() / 1e9,
        tally.waitingNanos() / 1e9,
        cells(more, one -> amount(one, tally)));
  }

  /** The measures of the results that have columns only if there are samples. */
  private static List<Measure> more(Results results) {
    return Stream.of(Measure.ALLOC, Measure.LOCK)
        .filter(one -> results.received().count(one) > 0)
        .toList();
  }

  private static String title(Measure measure) {
    return measure == Measure.ALLOC ? "allocated MB" : "locks s";
  }

  private static String amount(Measure measure, Tally tally) {
    double unit = measure == Measure.ALLOC ? 1e6 : 1e9;
    return String.format(Locale.ROOT, "%.3f", tally.amount(measure) / unit);
  }

  private static String cells(List<Measure> more, Function<Measure, String> text) {
    return more.stream().map(one -> " " + text.apply(one) + " |").collect(Collectors.joining());
  }

  private static void line(PrintWriter out, String format, Object... values) {
    out.print(String.format(Locale.ROOT, format, values) + "\n");
  }
}
