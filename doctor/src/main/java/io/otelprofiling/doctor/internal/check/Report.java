/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The results of all checks of one process, in sections. */
public final class Report {
  private static final class Finding {
    final Verdict verdict;
    final String id;
    final String seen;
    final String remedy;

    Finding(Verdict verdict, String id, String seen, String remedy) {
      this.verdict = verdict;
      this.id = id;
      this.seen = seen;
      this.remedy = remedy;
    }

    String json() {
      return String.format(
          "{\"id\":%s,\"verdict\":%s,\"seen\":%s,\"remedy\":%s}",
          quoted(id), quoted(verdict.toString()), quoted(seen), quoted(remedy));
    }

    String text() {
      return String.format("  %-16s%-26s %s%n", verdict, id, seen)
          + (remedy.isEmpty() ? "" : String.format("  %-42s -> %s%n", "", remedy));
    }
  }

  private final int pid;
  private final String process;
  private final Map<String, List<Finding>> sections = new LinkedHashMap<>();
  private List<Finding> current = new ArrayList<>();

  public Report(int pid, String process) {
    this.pid = pid;
    this.process = inOneLine(process);
  }

  /** Starts a section. The checks that follow belong to it. */
  public void section(String title) {
    current = new ArrayList<>();
    sections.put(title, current);
  }

  /** Adds a check with a stable id, the finding, and a remedy unless the verdict is ok. */
  public void add(Verdict verdict, String id, String seen, String remedy) {
    current.add(new Finding(verdict, id, inOneLine(seen), inOneLine(remedy)));
  }

  private Stream<Finding> all() {
    return sections.values().stream().flatMap(List::stream);
  }

  private Optional<Finding> worst() {
    return all().reduce((a, b) -> b.verdict.compareTo(a.verdict) > 0 ? b : a);
  }

  /** Returns whether this check decides the verdict. */
  public boolean isWorst(String id) {
    return worst().filter(finding -> finding.id.equals(id)).isPresent();
  }

  /** Returns the worst verdict. */
  public Verdict verdict() {
    return worst().map(finding -> finding.verdict).orElse(Verdict.NOT_CHECKED);
  }

  /** Returns the id and the finding of the first of the worst checks, or "" if all is well. */
  public String headline() {
    return worst()
        .filter(finding -> finding.verdict != Verdict.OK)
        .map(finding -> finding.id + ": " + finding.seen)
        .orElse("");
  }

  /** Returns the headline, and the number of other checks with the same verdict. */
  public String headlineAndCount() {
    long more = all().filter(finding -> finding.verdict == verdict()).count() - 1;
    return headline() + (headline().isEmpty() || more < 1 ? "" : " (+" + more + " more)");
  }

  /** Returns the report as text. */
  public String text() {
    StringBuilder text = new StringBuilder("Process " + pid + ": " + process + "\n");
    int[] number = {0};
    sections.forEach(
        (title, findings) -> {
          if (!findings.isEmpty()) {
            text.append("\n" + ++number[0] + ". " + title + "\n");
            findings.forEach(finding -> text.append(finding.text()));
          }
        });
    text.append("\nVerdict: ").append(verdict());
    return text.append(headline().isEmpty() ? "" : ", " + headline()).append('\n').toString();
  }

  /** Returns the report as one JSON object. */
  public String json() {
    List<String> shown = new ArrayList<>();
    sections.forEach(
        (title, findings) -> {
          String checks = findings.stream().map(Finding::json).collect(joining(","));
          shown.add(String.format("{\"title\":%s,\"checks\":[%s]}", quoted(title), checks));
        });
    return String.format(
        "{\"pid\":%d,\"process\":%s,\"verdict\":%s,\"sections\":[%s]}",
        pid, quoted(process), quoted(verdict().toString()), String.join(",", shown));
  }

  /** Returns a JSON object that reports why something could not be examined. */
  public static String jsonOfError(String why) {
    return "{\"error\":" + quoted(why) + "}";
  }

  private static String quoted(String value) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      boolean isPlain = c >= ' ' && !Character.isSurrogate(c);
      json.append(c == '"' || c == '\\' ? "\\" : "");
      json.append(isPlain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
    }
    return json.append('"').toString();
  }

  /**
   * Replaces line breaks and control characters. A process chooses its name and those of its
   * threads, and could otherwise control the terminal or imitate a line of the doctor.
   */
  public static String inOneLine(String value) {
    return value.replaceAll("[\\p{Cc}\\p{Cf}\u2028\u2029]", "?");
  }
}
