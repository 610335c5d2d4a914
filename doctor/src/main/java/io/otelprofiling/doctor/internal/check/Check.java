/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A function from evidence to a verdict: the row for the value that was read decides. If there is
 * no evidence, no row is looked at.
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

  /** The title under which the report has it. */
  public final String section;

  public final String id;

  /** The evidence, in words. */
  public final String reads;

  /** The value as text, for the status. */
  final String pattern;

  private final Source<T> source;
  private Function<T, String> name = Object::toString;
  private Function<T, String> text = Object::toString;

  /**
   * The cells of the rows, each by the value that it is about, by a name for several values or, in
   * the status, by a condition for its keys: this, the verdict, the finding, in which %s is the
   * value, and maybe a remedy.
   */
  public final Map<String, String[]> rows = new LinkedHashMap<>();

  /**
   * @param words the cells: the section, the id, what it reads and, for the status, a pattern of
   *     the value; and those of the rows
   */
  Check(List<String[]> words, Source<T> source) {
    section = words.get(0)[0];
    id = words.get(0)[1];
    reads = words.get(0)[2];
    pattern = words.get(0)[3];
    this.source = source;
    words.subList(1, words.size()).forEach(row -> rows.put(row[0], row));
  }

  /** Creates a check with other rows for the evidence of this one. */
  Check(List<String[]> words, Check<T> same) {
    this(words, same.source);
    name = same.name;
    text = same.text;
  }

  /** Says how the value is shown, if not as it describes itself. */
  Check<T> text(Function<T, String> shown) {
    text = shown;
    return this;
  }

  /** Says which row applies to a value, if not the one with its name. */
  Check<T> row(Function<T, String> found) {
    name = found;
    return this;
  }

  /** Says when the rule of the protocol is kept. */
  Check<T> rule(Predicate<T> isKept) {
    return row(value -> isKept.test(value) ? ELSE : "rule");
  }

  /** Runs the check. An error in it does not prevent the others. */
  void examine(Subject subject, Report report, long limitMillis) {
    try {
      conclude(subject.read(reads, limitMillis, () -> source.of(subject)), report);
    } catch (RuntimeException e) {
      String seen = id + " has failed with " + e;
      report.add(section, Verdict.COULD_NOT_LOOK, "doctor.error", seen, "Report this as a bug.");
    }
  }

  /** Adds the conclusion from this evidence to a report. */
  void conclude(Evidence<T> evidence, Report report) {
    T value = evidence.value;
    if (value != null) {
      add(report, rowOf(value), text.apply(value));
    } else if (evidence.isBroken()) {
      add(report, BROKEN, evidence.reason);
    } else if (!evidence.reason.isEmpty()) {
      report.add(section, evidence.verdict, id, evidence.reason, evidence.remedy);
    }
  }

  private void add(Report report, String row, String value) {
    String[] cells = Objects.requireNonNull(rows.get(row), id);
    String remedy = cells.length > 3 ? cells[3] : "";
    report.add(section, Verdict.of(cells[1]), id, cells[2].replace("%s", value), remedy);
  }

  /** Returns the row that applies to a value. */
  String rowOf(T value) {
    String found = name.apply(value);
    return rows.containsKey(found) ? found : ELSE;
  }
}
