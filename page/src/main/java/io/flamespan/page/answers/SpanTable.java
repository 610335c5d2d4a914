/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.TraceResult;
import io.flamespan.page.results.TraceSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The spans of a trace. */
final class SpanTable {
  private static final int MOST_SPANS = 15;
  private static final int ROOM = 700; // bytes, for one span and what it leaves out

  private final List<Measure> more; // which have columns of their own
  private final EndpointNames names;

  SpanTable(List<Measure> more, EndpointNames names) {
    this.more = more;
    this.names = names;
  }

  /**
   * Writes the most important spans, in half of the answer if one has room there. Returns the sum
   * of all.
   */
  Tally write(Answer answer, TraceResult trace) {
    List<TraceSpan> spans = new ArrayList<>(trace.spans());
    spans.sort(Comparator.comparingLong(TraceSpan::startNanos));
    long start = spans.get(0).startNanos();
    Tally all = new Tally();
    spans.forEach(span -> all.add(span.tally()));
    answer
        .line(
            "Trace %s: %d spans, CPU ms %s, waiting ms %s, in %d samples.",
            trace.id(),
            spans.size(),
            Answer.millions(all.cpuNanos()),
            Answer.millions(all.waitingNanos()),
            all.samples())
        .line("")
        .line(
            "| span | service | start ms | duration ms | CPU ms | waiting ms | |%s",
            Kinds.cells(more, Kinds::column))
        .line("| --- | --- | --: | --: | --: | --: | --- |%s", Kinds.cells(more, one -> "--:"));
    List<TraceSpan> important = important(spans);
    List<String> rows = new ArrayList<>();
    for (TraceSpan span : important) {
      rows.add(
          Answer.row(
                  names.printed(span.name(), span.service()),
                  Answer.name(span.service()),
                  Answer.millions(span.startNanos() - start),
                  Answer.millions(span.durationNanos()),
                  Answer.millions(span.tally().cpuNanos()),
                  Answer.millions(span.tally().waitingNanos()),
                  (span.localRoot() ? "request" : "") + (span.failed() ? " failed" : ""))
              + Kinds.cells(more, one -> Answer.millions(span.tally().amount(one))));
    }
    rows = rows.subList(0, Math.min(rows.size(), MOST_SPANS));
    int limit = Math.max(Answer.LIMIT / 2, answer.bytes() + ROOM);
    int shown = answer.rows(rows, new Answer(), limit);
    List<TraceSpan> others = important.subList(shown, important.size());
    if (!others.isEmpty()) {
      long cpu = others.stream().mapToLong(span -> span.tally().cpuNanos()).sum();
      answer
          .line("")
          .line("Left out: %d spans with CPU ms %s.", others.size(), Answer.millions(cpu));
    }
    return all;
  }

  /** Requests and spans with samples first, then the longest. */
  private static List<TraceSpan> important(List<TraceSpan> spans) {
    return spans.stream()
        .sorted(
            Comparator.comparing((TraceSpan span) -> !span.localRoot())
                .thenComparing(span -> -span.tally().cpuNanos() - span.tally().waitNanos())
                .thenComparing(span -> -span.durationNanos()))
        .toList();
  }
}
