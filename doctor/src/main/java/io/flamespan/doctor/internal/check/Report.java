/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The results of all checks of one process, in sections, or why it could not be examined. */
public final class Report {
  private static final class Finding {
    final String section;
    final Verdict verdict;
    final String id;
    final String seen;
    final String remedy;

    Finding(String section, Verdict verdict, String id, String seen, String remedy) {
      this.section = section;
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

  public static final String HEAD =
      String.format("%8s  %-30s %-16s %s%n", "PID", "process", "verdict", "first finding");

  private final int pid;
  private final String process;
  private final List<Finding> findings = new ArrayList<>();

  /** Why there are no findings, or "". */
  public final String obstacle;

  public Report(int pid, String process) {
    this.pid = pid;
    this.process = inOneLine(process);
    obstacle = "";
  }

  /** Creates the report on something that could not be examined. */
  public Report(String obstacle) {
    this.obstacle = inOneLine(obstacle);
    pid = 0;
    process = "";
  }

  /** Adds a check with a stable id, the finding, and a remedy unless the verdict is ok. */
  public void add(String section, Verdict verdict, String id, String seen, String remedy) {
    findings.add(new Finding(section, verdict, id, inOneLine(seen), inOneLine(remedy)));
  }

  private Optional<Finding> worst() {
    return findings.stream().reduce((a, b) -> b.verdict.compareTo(a.verdict) > 0 ? b : a);
  }

  public boolean isWorst(String id, String seen) {
    return worst().filter(f -> f.id.equals(id) && f.seen.startsWith(seen)).isPresent();
  }

  public Verdict verdict() {
    Verdict none = obstacle.isEmpty() ? Verdict.NOT_CHECKED : Verdict.COULD_NOT_LOOK;
    return worst().map(finding -> finding.verdict).orElse(none);
  }

  /** Returns the id and the finding of the first of the worst checks, or "" if all is well. */
  private String headline() {
    return worst()
        .filter(finding -> finding.verdict != Verdict.OK)
        .map(finding -> finding.id + ": " + finding.seen)
        .orElse("");
  }

  /** Returns a row of a table with this verdict, and the number of other checks that share it. */
  public String row(Verdict shown) {
    long more = findings.stream().filter(finding -> finding.verdict == verdict()).count() - 1;
    String others = headline().isEmpty() || more < 1 ? "" : " (+" + more + " more)";
    return String.format("%8d  %-30.30s %-16s %s", pid, process, shown, headline() + others);
  }

  public String text() {
    if (!obstacle.isEmpty()) {
      return obstacle + "\n";
    }
    StringBuilder text = new StringBuilder("Process " + pid + ": " + process + "\n");
    int number = 0;
    String section = "";
    for (Finding finding : findings) {
      if (!section.equals(finding.section)) {
        section = finding.section;
        text.append("\n" + ++number + ". " + section + "\n");
      }
      text.append(finding.text());
    }
    text.append("\nVerdict: ").append(verdict());
    return text.append(headline().isEmpty() ? "" : ", " + headline()).append('\n').toString();
  }

  public String json() {
    if (!obstacle.isEmpty()) {
      return "{\"error\":" + quoted(obstacle) + "}";
    }
    Map<String, String> sections = new LinkedHashMap<>();
    findings.forEach(f -> sections.merge(f.section, f.json(), (all, next) -> all + "," + next));
    String shown =
        sections.entrySet().stream()
            .map(e -> "{\"title\":" + quoted(e.getKey()) + ",\"checks\":[" + e.getValue() + "]}")
            .collect(joining(","));
    return String.format(
        "{\"pid\":%d,\"process\":%s,\"verdict\":%s,\"sections\":[%s]}",
        pid, quoted(process), quoted(verdict().toString()), shown);
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
   * Replaces line breaks and control characters. A process chooses its name and its threads' names,
   * and could otherwise control the terminal or imitate a line of the doctor.
   */
  public static String inOneLine(String value) {
    return value.replaceAll("[\\p{Cc}\\p{Cf}\u2028\u2029]", "?");
  }
}
