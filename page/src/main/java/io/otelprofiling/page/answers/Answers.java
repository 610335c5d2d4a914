/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.answers;

import io.otelprofiling.page.comparison.Comparison;
import io.otelprofiling.page.comparison.EndpointChange;
import io.otelprofiling.page.results.EndpointResult;
import io.otelprofiling.page.results.FlameTree;
import io.otelprofiling.page.results.Measure;
import io.otelprofiling.page.results.Results;
import io.otelprofiling.page.results.Tally;
import io.otelprofiling.page.results.ThreadResult;
import io.otelprofiling.page.results.TraceResult;
import io.otelprofiling.page.results.TraceSpan;
import io.otelprofiling.page.results.Unjoined;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Short answers to questions about results, each a table with what it leaves out. Sums are those of
 * summary.json.
 */
final class Answers {
  /** Selects the CPU time without a Link in place of an endpoint. */
  static final String NO_REQUEST = "(no request)";

  private static final int NODES = 50_000;

  /** The question names something that does not exist. */
  static final class QuestionException extends Exception {
    private static final long serialVersionUID = 1;

    QuestionException(String message) {
      super(message);
    }
  }

  private final Results results;
  private final Optional<Comparison> comparison;
  private final List<EndpointResult> endpoints;
  private final List<Measure> more; // which have columns only if there are samples

  Answers(Results results, Optional<Comparison> comparison) {
    this.results = results;
    this.comparison = comparison;
    this.endpoints = results.endpoints(Integer.MAX_VALUE);
    this.more =
        Stream.of(Measure.ALLOC, Measure.LOCK)
            .filter(one -> results.received().count(one) > 0)
            .toList();
  }

  /** All endpoints, and the CPU time that is not of a request. */
  String endpoints() {
    Tally all = sum(endpoints);
    long received = results.received().cpuNanos();
    Answer answer =
        new Answer()
            .line("Endpoints by CPU time. The share is of all CPU time received.")
            .line("")
            .line(
                "| endpoint | service | requests | mean ms | p99 ms | CPU ms | share %% |"
                    + " CPU ms per request | waiting ms |%s",
                cells(Kinds::column))
            .line("| --- | --- | --: | --: | --: | --: | --: | --: | --: |%s", cells(one -> "--:"));
    List<String> rows = new ArrayList<>();
    for (EndpointResult one : endpoints) {
      rows.add(
          Answer.row(
                  Answer.name(one.name()),
                  Answer.name(one.service()),
                  one.requests(),
                  Answer.millions(one.meanNanos()),
                  Answer.millions(one.p99Nanos()),
                  Answer.millions(one.tally().cpuNanos()),
                  Answer.percent(one.tally().cpuNanos(), received),
                  Answer.millions((double) one.tally().cpuNanos() / one.requests()),
                  Answer.millions(one.tally().waitNanos()))
              + cells(more -> Answer.millions(one.tally().amount(more))));
    }
    int shown = answer.rows(rows);
    if (shown < rows.size()) {
      List<EndpointResult> others = endpoints.subList(shown, rows.size());
      total(answer, "(" + others.size() + " other endpoints)", others, received);
    }
    total(answer, "all endpoints", endpoints, received);
    answer.line("");
    List<String> reasons = new ArrayList<>();
    for (Unjoined reason : Unjoined.values()) {
      long cpu = results.unjoined(reason).cpuNanos();
      if (cpu > 0) {
        reasons.add(
            reason.reason()
                + " "
                + Answer.millions(cpu)
                + " ("
                + Answer.percent(cpu, received)
                + " %)");
      }
    }
    answer.line(
        "CPU ms received: %s. Of endpoints: %s. Not of an endpoint: %s.",
        Answer.millions(received),
        Answer.millions(all.cpuNanos()),
        reasons.isEmpty() ? "none" : String.join(", ", reasons));
    for (Measure measure : more) {
      answer.line(
          "%s received: %s. Of endpoints: %s.",
          Kinds.column(measure),
          Answer.millions(results.received().amount(measure)),
          Answer.millions(all.amount(measure)));
    }
    return answer.toString();
  }

  /** Cells of the measures that not all files have, after those of a row. */
  private String cells(Function<Measure, String> text) {
    return more.stream().map(one -> " " + text.apply(one) + " |").collect(Collectors.joining());
  }

  private void total(Answer answer, String title, List<EndpointResult> of, long received) {
    Tally tally = sum(of);
    long requests = of.stream().mapToLong(EndpointResult::requests).sum();
    answer.line(
        "%s",
        Answer.row(
                title,
                "",
                requests,
                "",
                "",
                Answer.millions(tally.cpuNanos()),
                Answer.percent(tally.cpuNanos(), received),
                Answer.millions((double) tally.cpuNanos() / Math.max(1, requests)),
                Answer.millions(tally.waitNanos()))
            + cells(one -> Answer.millions(tally.amount(one))));
  }

  private static Tally sum(List<EndpointResult> endpoints) {
    Tally sum = new Tally();
    endpoints.forEach(one -> sum.add(one.tally()));
    return sum;
  }

  /** The methods of an endpoint with the most of a kind in themselves; of all if it is empty. */
  String methods(String endpoint, String kind) throws QuestionException {
    return methods(endpoint, Kinds.measure(kind));
  }

  private String methods(String endpoint, Measure measure) throws QuestionException {
    MethodTimes times = new MethodTimes();
    long whole = 0;
    for (FlameTree tree : trees(endpoint)) {
      times.add(tree, node -> tree.amount(measure, node));
      whole += tree.amount(measure, 0);
    }
    return MethodTable.of(measure, title(endpoint), times, whole);
  }

  /** Where requests wait: the endpoints, or the methods of one of them. */
  String waiting(String endpoint) throws QuestionException {
    if (!endpoint.isEmpty()) {
      return methods(endpoint, Measure.WAIT);
    }
    Answer answer =
        new Answer()
            .line(
                "Endpoints by waiting, as far as the profiler recorded waits. Neither is the part")
            .line("of the durations that is neither CPU time nor waiting.")
            .line("")
            .line(
                "| endpoint | service | requests | waiting ms | waits | per request ms | neither ms"
                    + " |")
            .line("| --- | --- | --: | --: | --: | --: | --: |");
    List<EndpointResult> sorted = new ArrayList<>(endpoints);
    sorted.sort(Comparator.comparingLong(one -> -one.tally().waitNanos()));
    List<String> rows = new ArrayList<>();
    sorted.forEach(one -> rows.add(waits(Answer.name(one.name()), List.of(one))));
    int shown = answer.rows(rows);
    if (shown < rows.size()) {
      String others = "(" + (rows.size() - shown) + " other endpoints)";
      answer.line("%s", waits(others, sorted.subList(shown, rows.size())));
    }
    return answer
        .line("%s", waits("all endpoints", sorted))
        .line("")
        .line("Waiting ms received: %s.", Answer.millions(results.received().waitNanos()))
        .toString();
  }

  private static String waits(String title, List<EndpointResult> of) {
    Tally tally = sum(of);
    long requests = of.stream().mapToLong(EndpointResult::requests).sum();
    return Answer.row(
        title,
        of.size() == 1 ? Answer.name(of.get(0).service()) : "",
        requests,
        Answer.millions(tally.waitNanos()),
        tally.waits(),
        Answer.millions((double) tally.waitNanos() / Math.max(1, requests)),
        Answer.millions(of.stream().mapToLong(EndpointResult::neitherNanos).sum()));
  }

  private List<FlameTree> trees(String endpoint) throws QuestionException {
    if (endpoint.equals(NO_REQUEST)) {
      return results.threads(Integer.MAX_VALUE).stream()
          .map((ThreadResult thread) -> thread.tree(NODES))
          .toList();
    }
    if (endpoint.isEmpty()) {
      return endpoints.stream().map(one -> one.tree(NODES)).toList();
    }
    return named(endpoint).stream().map(one -> one.tree(NODES)).toList();
  }

  private static String title(String endpoint) {
    return endpoint.isEmpty() ? "all endpoints" : Answer.name(endpoint);
  }

  /** The endpoints with this name, one of each service. */
  private List<EndpointResult> named(String name) throws QuestionException {
    List<EndpointResult> found = endpoints.stream().filter(one -> one.name().equals(name)).toList();
    if (found.isEmpty()) {
      throw new QuestionException("no endpoint is named " + Answer.name(name) + suggestion(name));
    }
    return found;
  }

  private String suggestion(String name) {
    String part = name.toLowerCase(Locale.ROOT);
    List<String> like =
        endpoints.stream()
            .map(EndpointResult::name)
            .filter(one -> one.toLowerCase(Locale.ROOT).contains(part))
            .distinct()
            .limit(5)
            .map(Answer::name)
            .toList();
    return like.isEmpty()
        ? "; the answer to endpoints has their names"
        : "; did you mean " + String.join(", ", like) + "?";
  }

  /** The trace with this id, or that of the span with this id. */
  String request(String id, String kind) throws QuestionException {
    Measure measure = Kinds.measure(kind);
    TraceResult trace =
        results
            .trace(id.toLowerCase(Locale.ROOT))
            .orElseThrow(
                () ->
                    new QuestionException(
                        "no span that was received has the trace id or span id "
                            + Answer.name(id)));
    List<TraceSpan> spans = new ArrayList<>(trace.spans());
    spans.sort(Comparator.comparingLong(TraceSpan::startNanos));
    long start = spans.get(0).startNanos();
    Tally all = new Tally();
    spans.forEach(span -> all.add(span.tally()));
    Answer answer =
        new Answer()
            .line(
                "Trace %s: %d spans, CPU ms %s, waiting ms %s, in %d samples.",
                trace.id(),
                spans.size(),
                Answer.millions(all.cpuNanos()),
                Answer.millions(all.waitNanos()),
                all.samples())
            .line("")
            .line(
                "| span | service | start ms | duration ms | CPU ms | waiting ms | |%s",
                cells(Kinds::column))
            .line("| --- | --- | --: | --: | --: | --: | --- |%s", cells(one -> "--:"));
    List<TraceSpan> important = important(spans);
    List<String> rows = new ArrayList<>();
    for (TraceSpan span : important) {
      rows.add(
          Answer.row(
                  Answer.name(span.name()),
                  Answer.name(span.service()),
                  Answer.millions(span.startNanos() - start),
                  Answer.millions(span.durationNanos()),
                  Answer.millions(span.tally().cpuNanos()),
                  Answer.millions(span.tally().waitNanos()),
                  (span.localRoot() ? "request" : "") + (span.failed() ? " failed" : ""))
              + cells(one -> Answer.millions(span.tally().amount(one))));
    }
    int shown = answer.rows(rows.subList(0, Math.min(rows.size(), 15)));
    leftOut(
        answer,
        "spans",
        important.subList(shown, rows.size()),
        Measure.CPU,
        span -> span.tally().cpuNanos());
    MethodTimes times = new MethodTimes();
    FlameTree tree = trace.tree(NODES);
    times.add(tree, node -> tree.amount(measure, node));
    List<MethodTimes.Times> sorted = times.sorted().stream().filter(one -> one.self > 0).toList();
    answer.line("").line("| method | self %s |", Kinds.column(measure)).line("| --- | --: |");
    List<String> methods = new ArrayList<>();
    sorted.forEach(
        one -> methods.add(Answer.row(Answer.name(one.frame.name()), Answer.millions(one.self))));
    int listed = answer.rows(methods);
    leftOut(answer, "methods", sorted.subList(listed, sorted.size()), measure, one -> one.self);
    return answer.toString();
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

  private static <T> void leftOut(
      Answer answer, String what, List<T> others, Measure measure, ToLongFunction<T> amount) {
    if (!others.isEmpty()) {
      long sum = others.stream().mapToLong(amount).sum();
      answer
          .line("")
          .line(
              "Left out: %d %s with %s %s.",
              others.size(), what, Kinds.column(measure), Answer.millions(sum));
    }
  }

  /** What changed against the baseline. */
  String compare(String kind) throws QuestionException {
    Measure measure = Kinds.measure(kind);
    if (comparison.isEmpty()) {
      throw new QuestionException(
          "there is no baseline to compare with; name its files with --baseline");
    }
    List<EndpointChange> changes = new ArrayList<>(comparison.get().changes());
    if (measure != Measure.CPU) {
      changes.sort(Comparator.comparingDouble(one -> -Math.abs(one.impact(measure))));
    }
    String amount = Kinds.column(measure);
    String unit = Answer.unit(measure);
    Answer answer =
        new Answer()
            .line(
                "Endpoints by their change: %s per request, the baseline first. ± is two standard",
                Kinds.title(measure))
            .line("deviations of what chance does. A difference within it is noise.")
            .line("")
            .line(
                "| endpoint | service | requests | requests | %s | %s | difference %s | ± %s | |",
                amount, amount, unit, unit)
            .line("| --- | --- | --: | --: | --: | --: | --: | --: | --- |");
    List<String> rows = new ArrayList<>();
    for (EndpointChange change : changes) {
      double difference = change.perRequest(measure);
      double plusMinus = change.plusMinus(measure);
      String verdict =
          !change.kind().equals("both")
              ? change.kind()
              : change.isChance(measure) ? "noise" : difference > 0 ? "more" : "less";
      rows.add(
          Answer.row(
              Answer.name(change.name()),
              Answer.name(change.service()),
              requests(change.before()),
              requests(change.now()),
              perRequest(change.before(), measure),
              perRequest(change.now(), measure),
              String.format(Locale.ROOT, "%+.3f", difference / 1e6),
              Double.isNaN(plusMinus) ? "unknown" : Answer.millions(plusMinus),
              difference == 0 ? "same" : verdict));
    }
    int shown = answer.rows(rows);
    return answer
        .line("")
        .line(
            "Left out: %d endpoints, which changed less. %s received: %s, then %s.",
            rows.size() - shown,
            amount,
            Answer.millions(comparison.get().baseline().received().amount(measure)),
            Answer.millions(results.received().amount(measure)))
        .toString();
  }

  private static String requests(EndpointResult endpoint) {
    return endpoint == null ? "–" : String.valueOf(endpoint.requests());
  }

  private static String perRequest(EndpointResult endpoint, Measure measure) {
    return endpoint == null
        ? "–"
        : Answer.millions((double) endpoint.tally().amount(measure) / endpoint.requests());
  }
}
