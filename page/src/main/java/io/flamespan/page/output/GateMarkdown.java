/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.page.gate.Cost;
import io.flamespan.page.gate.Gate;
import io.flamespan.page.gate.Row;
import io.flamespan.page.gate.Verdict;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The verdict of a gate for a comment on a pull request: one sentence, and a table. */
public final class GateMarkdown {
  private static final int LONGEST_NAME = 200;
  private static final int NAMED = 3; // in the first sentence
  private static final int REST = 100; // bytes of the line that counts the rows left out

  private final Verdict verdict;

  private GateMarkdown(Verdict verdict) {
    this.verdict = verdict;
  }

  /** The text with as many rows as at most so many bytes have room for. */
  public static String text(Verdict verdict, int mostBytes) {
    return new GateMarkdown(verdict).text(mostBytes);
  }

  private String text(int mostBytes) {
    List<String> lines = new ArrayList<>();
    lines.add("**" + sentence() + "**");
    lines.add("");
    List<String> after = new ArrayList<>();
    after.add(how());
    if (!verdict.rows().isEmpty()) {
      after.add("");
      after.add("| endpoint | service | kind | requests | before | now | change | ± | |");
      after.add("| --- | --- | --- | --- | --: | --: | --: | --: | --- |");
    }
    int room = mostBytes - size(after) - REST;
    List<String> reasons = verdict.problems().isEmpty() ? methods() : problems();
    int listed = addWhileFits(lines, reasons, room - REST);
    if (listed < reasons.size()) {
      lines.add("- and " + (reasons.size() - listed) + " more");
    }
    if (!reasons.isEmpty()) {
      lines.add("");
    }
    lines.addAll(after);
    List<String> rows = verdict.rows().stream().map(this::row).toList();
    int shown = addWhileFits(lines, rows, mostBytes - REST);
    if (shown < rows.size()) {
      lines.add("");
      lines.add("Left out: " + (rows.size() - shown) + " rows.");
    }
    return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  /** How many of them were added. */
  private static int addWhileFits(List<String> lines, List<String> more, int mostBytes) {
    int bytes = size(lines);
    int added = 0;
    for (String line : more) {
      bytes += size(List.of(line));
      if (bytes > mostBytes) {
        break;
      }
      lines.add(line);
      added++;
    }
    return added;
  }

  private static int size(List<String> lines) {
    return lines.stream().mapToInt(line -> line.getBytes(UTF_8).length + 1).sum();
  }

  private List<String> problems() {
    return verdict.problems().stream().map(problem -> "- " + Markdown.text(problem)).toList();
  }

  private String sentence() {
    return switch (verdict.status()) {
      case PASSED -> "Not dearer: no endpoint exceeds its limit.";
      case DEARER -> "Dearer: " + dearer() + ".";
      case NOT_ENOUGH -> "Not enough requests: " + needed() + ".";
      case NOT_COMPARABLE -> "Cannot be compared:";
    };
  }

  private String dearer() {
    List<Row> dearer =
        verdict.rows().stream().filter(row -> row.state() == Row.State.DEARER).toList();
    String named =
        dearer.stream()
            .limit(NAMED)
            .map(row -> name(row.endpoint()) + " by " + change(row) + " of " + row.cost().title())
            .collect(Collectors.joining(", "));
    return named + (dearer.size() > NAMED ? ", and " + (dearer.size() - NAMED) + " more" : "");
  }

  /** What the row needs that lacks the most. */
  private String needed() {
    Row most =
        verdict.rows().stream()
            .filter(row -> row.counts() && row.state() == Row.State.NOT_ENOUGH)
            .max(
                Comparator.<Row>comparingInt(row -> Math.max(row.moreRunsOfA(), row.moreRunsOfB()))
                    .thenComparingDouble(
                        row ->
                            Math.max(
                                (double) row.moreRequestsOfA() / row.requestsOfA(),
                                (double) row.moreRequestsOfB() / row.requestsOfB())))
            .orElseThrow();
    String limit = percent(most.limit()) + " of " + most.cost().title();
    if (isUnknown(most)) {
      return name(most.endpoint()) + " has too few to tell how many more show " + limit;
    }
    return name(most.endpoint()) + " needs " + more(most) + " to show " + limit;
  }

  private static boolean needsRuns(Row row) {
    return row.moreRunsOfA() + row.moreRunsOfB() > 0;
  }

  private static boolean isUnknown(Row row) {
    return !needsRuns(row) && row.moreRequestsOfB() < 0;
  }

  private String more(Row row) {
    String requests = more("requests", row.moreRequestsOfA(), row.moreRequestsOfB());
    if (!needsRuns(row)) {
      return requests;
    }
    boolean hasRequests = Math.min(row.moreRequestsOfA(), row.moreRequestsOfB()) >= 0;
    boolean atLeast =
        !hasRequests
            || verdict.runsAreTaken()
            || row.moreRunsOfA() + verdict.runsOfA() >= Gate.MOST_RUNS
            || row.moreRunsOfB() + verdict.runsOfB() >= Gate.MOST_RUNS;
    String runs = (atLeast ? "at least " : "") + more("runs", row.moreRunsOfA(), row.moreRunsOfB());
    return hasRequests ? runs + " (" + requests + ")" : runs;
  }

  private static String more(String what, long ofA, long ofB) {
    String first = String.format(Locale.ROOT, "%,d more %s ", ofA == 0 ? ofB : ofA, what);
    if (ofA == ofB) {
      return first + "on each side";
    }
    return ofA == 0
        ? first + "now"
        : first
            + "in the baseline"
            + (ofB == 0 ? "" : String.format(Locale.ROOT, " and %,d now", ofB));
  }

  private String how() {
    String left =
        String.format(
            Locale.ROOT,
            "Left out as warm-up: the first %.1f s of each process, %,d of %,d requests%s.",
            verdict.leftOutSeconds(),
            verdict.leftOutRequests(),
            verdict.requests(),
            verdict.lateRequests() == 0
                ? ""
                : String.format(
                    Locale.ROOT,
                    ", and %,d after %.1f s, which not all runs have",
                    verdict.lateRequests(),
                    verdict.endSeconds()));
    return verdict.runIsUnit()
        ? String.format(
                Locale.ROOT, "Compared: %d runs with %d. ", verdict.runsOfA(), verdict.runsOfB())
            + left
            + few()
            + (verdict.runsTakeTurns()
                ? ""
                : " All runs of one side came first: what changes with time, such as other work of"
                    + " the machine, counts as the code's. Runs by turns tell.")
        : left
            + (verdict.runsAreTaken()
                ? String.format(
                    Locale.ROOT,
                    " One run on a side does not tell how much runs of the same code differ: ±"
                        + " takes it to be %.0f %% (%.0f %% of a single endpoint), or what the other"
                        + " endpoints differ by if that is more. Where runs of one endpoint differ"
                        + " far more than of others, it may seem dearer. Several runs by turns"
                        + " tell.",
                    100 * Gate.BETWEEN_RUNS,
                    100 * Gate.BETWEEN_RUNS_ALONE)
                : " With one run on a side, what else differs between runs, such as the clock"
                    + " speed, counts as the code's.");
  }

  private String few() {
    return Math.min(verdict.runsOfA(), verdict.runsOfB()) < Gate.GOOD_RUNS
        ? " Fewer than "
            + Gate.GOOD_RUNS
            + " runs on a side hardly tell how much runs of the same code differ: ± adds what those"
            + " of other endpoints do, and more runs are asked for than "
            + Gate.GOOD_RUNS
            + " would need."
        : "";
  }

  private Stream<Verdict.MethodRow> methodsOf(Row row) {
    return verdict.methods().stream()
        .filter(one -> one.cost() == row.cost() && one.endpoint().equals(row.endpoint()))
        .filter(one -> one.service().equals(row.service()));
  }

  private List<String> methods() {
    List<String> lines = new ArrayList<>();
    for (Row row : verdict.rows()) {
      String methods =
          methodsOf(row).map(GateMarkdown::method).distinct().collect(Collectors.joining(", "));
      if (row.state() == Row.State.DEARER && !methods.isEmpty() && lines.size() < NAMED) {
        lines.add("- In " + name(row.endpoint()) + ", a request has more in " + methods + ".");
      }
    }
    return lines;
  }

  private static String method(Verdict.MethodRow method) {
    String unit = unit(method.cost());
    String more =
        String.format(
            Locale.ROOT,
            "%s: %+.3f %s",
            name(method.method()),
            (method.b() - method.a()) / 1e6,
            unit);
    return Double.isNaN(method.plusMinus())
        ? more
        : more + String.format(Locale.ROOT, " ± %.3f", method.plusMinus() / 1e6);
  }

  /** Noise is small. */
  private String row(Row row) {
    Stream<String> cells =
        Stream.of(
            row.cost().title(),
            String.format(Locale.ROOT, "%,d, %,d", row.requestsOfA(), row.requestsOfB()),
            amount(row.cost(), row.a()),
            amount(row.cost(), row.b()),
            Double.isFinite(row.change())
                ? String.format(Locale.ROOT, "%+.1f %%", 100 * row.change())
                : row.b() > 0 ? "new" : "–",
            plusMinus(row.plusMinus()),
            state(row));
    boolean small = row.isNoise() && row.state() != Row.State.DEARER;
    return "| "
        + Stream.concat(
                Stream.of(name(row.endpoint()), name(row.service())),
                cells.map(cell -> small ? "<sub>" + cell + "</sub>" : cell))
            .collect(Collectors.joining(" | "))
        + " |";
  }

  private String state(Row row) {
    return switch (row.state()) {
      case DEARER -> "**dearer**, limit " + percent(row.limit());
      case WITHIN -> row.isNoise() || row.change() > 0 ? "within " + percent(row.limit()) : "less";
      case NOT_ENOUGH ->
          !row.counts()
              ? "small, not needed"
              : isUnknown(row) ? "not enough requests" : "needs " + more(row);
    };
  }

  private static String change(Row row) {
    return Double.isFinite(row.change())
        ? String.format(Locale.ROOT, "%.1f %% ± %.1f", 100 * row.change(), 100 * row.plusMinus())
        : amount(row.cost(), row.b());
  }

  private static String plusMinus(double share) {
    return Double.isNaN(share) ? "unknown" : String.format(Locale.ROOT, "%.1f", 100 * share);
  }

  private static String percent(double share) {
    BigDecimal rounded = BigDecimal.valueOf(100 * share).setScale(4, RoundingMode.HALF_EVEN);
    return rounded.stripTrailingZeros().toPlainString() + " %";
  }

  private static String amount(Cost cost, double amount) {
    return String.format(Locale.ROOT, "%.3f %s", amount / 1e6, unit(cost));
  }

  private static String unit(Cost cost) {
    return cost == Cost.ALLOC ? "MB" : "ms";
  }

  /** As it is in the verdict. */
  public static String name(String name) {
    return Markdown.text(TextFiles.cut(name, LONGEST_NAME));
  }
}
