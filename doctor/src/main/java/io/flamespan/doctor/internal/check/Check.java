/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Scanner;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A function from evidence to a verdict: the row for the value that was read decides. If there is
 * no evidence, no row is looked at.
 */
public final class Check<T> {
  /** The row for all evidence that no earlier one is about. */
  static final String ELSE = "else";

  /** The row for data that was read, and that readers reject. */
  private static final String BROKEN = "broken";

  private static final Pattern KEY = Pattern.compile("\\{([a-z._]+)(?::ago)?}| and ([a-z._]+) = ");
  private static final Map<String, List<String[]>> CHECKS = read("checks.txt");
  private static final Map<String, List<String[]>> RULES = read("rules.txt");

  /** Where the evidence comes from; an exception says why it cannot be read. */
  interface Source<T> {
    Evidence<T> of(Subject subject) throws IOException;
  }

  /** The title under which the report has it. */
  public final String section;

  public final String id;

  /** The value as text, for the status. */
  final String pattern;

  private final String reads;
  private final Source<T> source;
  private Function<T, Evidence<T>> filter = Evidence::of;
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
   *     the value; and the cells of the rows
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

  /** Returns the cells of each check and of its rows behind them, by its id. */
  private static Map<String, List<String[]>> read(String resource) {
    Map<String, List<String[]>> checks = new LinkedHashMap<>();
    try (Scanner file = new Scanner(Check.class.getResourceAsStream(resource), "UTF-8")) {
      String section = "";
      List<String[]> check = new ArrayList<>();
      String text = file.useDelimiter("\\A").next().replaceAll("\n {4,}", " ");
      for (String line : text.split("\n", 0)) {
        if (line.startsWith(" ")) {
          check.add(line.trim().split(" \\| ", -1));
        } else if (line.startsWith("= ")) {
          section = line.substring(2);
        } else if (!line.isEmpty() && !line.startsWith("#")) {
          check = new ArrayList<>();
          check.add((section + " | " + line + " | %s").split(" \\| ", -1));
          checks.put(check.get(0)[1], check);
        }
      }
    }
    return checks;
  }

  /** Returns the check with this id. The caller adds which of its rows apply. */
  static <T> Check<T> check(String id, Source<T> source) {
    return new Check<>(requireNonNull(CHECKS.get(id), id), source);
  }

  /** Returns all rules, including rules about the evidence of a check of the report. */
  static List<Check<?>> rules(List<Check<?>> others) {
    List<Check<?>> rules = new ArrayList<>();
    RULES.forEach(
        (id, words) -> {
          others.stream().filter(rule -> rule.id.equals(id)).forEach(rules::add);
          Checks.ALL.stream()
              .filter(check -> check.id.equals(words.get(0)[2]))
              .forEach(check -> rules.add(new Check<>(words, check)));
        });
    return rules;
  }

  /** Returns the rule of the protocol with this id, which has evidence of its own. */
  static <T> Check<T> rule(String id, Source<T> source) {
    return new Check<>(requireNonNull(RULES.get(id), id), source);
  }

  /** Says which values tell enough, and what the others lack. */
  Check<T> only(Function<T, Evidence<T>> enough) {
    filter = enough;
    return this;
  }

  /** Returns the keys of the status that the pattern and the conditions name. */
  Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>();
    Matcher named = KEY.matcher(pattern + " and " + String.join(" and ", rows.keySet()));
    while (named.find()) {
      keys.add(named.group(1) == null ? named.group(2) : named.group(1));
    }
    return keys;
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
  void conclude(Evidence<T> read, Report report) {
    Evidence<T> evidence = read.value == null ? read : filter.apply(read.value);
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

  String rowOf(T value) {
    String found = name.apply(value);
    return rows.containsKey(found) ? found : ELSE;
  }
}
