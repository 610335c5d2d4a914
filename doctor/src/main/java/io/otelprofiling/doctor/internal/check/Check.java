/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.report.Report;
import io.otelprofiling.doctor.internal.report.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One check: where its evidence comes from, and rows that map what was read to a verdict. The first
 * row that applies decides. No row sees evidence that could not be read, so that none can conclude
 * anything from it.
 */
public final class Check<T> {
  /** Where the evidence comes from; an exception says why it cannot be read. */
  interface Source<T> {
    Evidence<T> of(Subject subject) throws IOException;
  }

  /** One conclusion from evidence. */
  public static final class Row<T> {
    public final Verdict verdict;
    final Predicate<T> when;

    /** The finding, in which %s is the value. */
    public final String seen;

    public final String remedy;

    Row(Verdict verdict, Predicate<T> when, String seen, String remedy) {
      this.verdict = verdict;
      this.when = when;
      this.seen = seen;
      this.remedy = remedy;
    }
  }

  public final String id;

  /** The evidence, in words. */
  public final String reads;

  private final Source<T> source;
  private final Function<T, String> text;
  private String ifBroken = "";
  private final List<Row<T>> rows = new ArrayList<>();

  Check(String id, String reads, Source<T> source, Function<T, String> text) {
    this.id = id;
    this.reads = reads;
    this.source = source;
    this.text = text;
  }

  Check(String id, String reads, Source<T> source) {
    this(id, reads, source, String::valueOf);
  }

  Check<T> fault(Predicate<T> when, String seen, String remedy) {
    return row(Verdict.FAULT, when, seen, remedy);
  }

  Check<T> warning(Predicate<T> when, String seen, String remedy) {
    return row(Verdict.WARNING, when, seen, remedy);
  }

  /** Adds the row for data that was read, and that readers reject. */
  Check<T> broken(String remedy) {
    ifBroken = remedy;
    return fault(value -> false, "%s", remedy);
  }

  Check<T> unknown(Predicate<T> when, String seen, String remedy) {
    return row(Verdict.COULD_NOT_LOOK, when, seen, remedy);
  }

  Check<T> note(Predicate<T> when, String seen) {
    return row(Verdict.NOT_CHECKED, when, seen, "");
  }

  /** Adds the row for all evidence that no earlier one is about. */
  Check<T> ok(String seen) {
    return row(Verdict.OK, value -> true, seen, "");
  }

  Check<T> row(Verdict verdict, Predicate<T> when, String seen, String remedy) {
    rows.add(new Row<>(verdict, when, seen, remedy));
    return this;
  }

  public List<Row<T>> rows() {
    return Collections.unmodifiableList(rows);
  }

  /** Runs the check. An error in it does not prevent the others. */
  void examine(Subject subject, Report report) {
    try {
      conclude(subject.read(reads, () -> source.of(subject)), report);
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
        String remedy = evidence.isBroken() ? ifBroken : evidence.remedy;
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
