/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.reader.StatusBlock;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A function from evidence to a verdict: the first row that applies decides. If there is no
 * evidence, no row is looked at.
 */
public final class Check<T> {
  /** The row for all evidence that no earlier one is about. */
  static final String ELSE = "else";

  /** The row for data that was read, and that readers reject. */
  private static final String BROKEN = "broken";

  /** Where the evidence comes from; an exception says why it cannot be read. */
  interface Source<T> {
    Evidence<T> of(Subject subject) throws IOException;
  }

  /** One conclusion from evidence. */
  public static final class Row<T> {
    private final String name;
    public final Verdict verdict;

    /** The finding, in which %s is the value. */
    public final String seen;

    public final String remedy;
    Predicate<T> when;

    /** Creates a row that applies to a value of this name, or a status for which it holds. */
    Row(String name, Verdict verdict, String seen, String remedy) {
      this.name = name;
      this.verdict = verdict;
      this.seen = seen;
      this.remedy = remedy;
      when =
          value ->
              name.equals(ELSE)
                  || (value instanceof StatusBlock
                      ? ((StatusBlock) value).holds(name)
                      : name.equals(value.toString()));
    }
  }

  public final String id;

  /** The evidence, in words. */
  public final String reads;

  private final Source<T> source;
  private Function<T, String> text;
  public final List<Row<T>> rows;

  Check(String id, String reads, String pattern, Source<T> source, List<Row<T>> rows) {
    this.id = id;
    this.reads = reads;
    this.source = source;
    this.rows = rows;
    text =
        value ->
            value instanceof StatusBlock
                ? ((StatusBlock) value).format(pattern).trim()
                : value.toString();
  }

  /** Says how the value is shown, if not as it describes itself. */
  Check<T> text(Function<T, String> shown) {
    text = shown;
    return this;
  }

  /** Says when the row with this name applies. */
  Check<T> when(String name, Predicate<T> condition) {
    row(name).when = condition;
    return this;
  }

  /** Says when the rule of the protocol is kept. */
  Check<T> rule(Predicate<T> isKept) {
    return when("rule", isKept.negate());
  }

  private Row<T> row(String name) {
    return rows.stream()
        .filter(row -> row.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(id + " has no row " + name));
  }

  /** Runs the check. An error in it does not prevent the others. */
  void examine(Subject subject, Report report, long limitMillis) {
    try {
      conclude(subject.read(reads, limitMillis, () -> source.of(subject)), report);
    } catch (RuntimeException e) {
      String seen = id + " has failed with " + e;
      report.add(Verdict.COULD_NOT_LOOK, "doctor.error", seen, "Report this as a bug.");
    }
  }

  /** Adds the conclusion from this evidence to a report. */
  void conclude(Evidence<T> evidence, Report report) {
    T value = evidence.value;
    if (value == null) {
      if (!evidence.reason.isEmpty()) {
        String remedy = evidence.isBroken() ? row(BROKEN).remedy : evidence.remedy;
        report.add(evidence.verdict, id, evidence.reason, remedy);
      }
      return;
    }
    for (Row<T> row : rows) {
      if (row.when.test(value)) {
        report.add(row.verdict, id, row.seen.replace("%s", text.apply(value)), row.remedy);
        return;
      }
    }
  }
}
