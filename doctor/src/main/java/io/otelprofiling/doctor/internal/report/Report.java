/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.report;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results of all checks of one process, in sections. */
public final class Report {
  /** One check: its stable id, the finding, and a remedy unless the verdict is ok. */
  static final class Check {
    final Verdict verdict;
    final String id;
    final String seen;
    final String remedy;

    Check(Verdict verdict, String id, String seen, String remedy) {
      this.verdict = verdict;
      this.id = id;
      this.seen = seen;
      this.remedy = remedy;
    }
  }

  private static final class Section {
    final String title;
    final List<Check> checks = new ArrayList<>();

    Section(String title) {
      this.title = title;
    }
  }

  private static final String HOST = "host.";

  private final int pid;
  private final String process;
  private final List<Section> sections = new ArrayList<>();

  public Report(int pid, String process) {
    this.pid = pid;
    this.process = inOneLine(process);
  }

  /** Starts a section. The checks that follow belong to it. */
  public void section(String title) {
    sections.add(new Section(title));
  }

  /**
   * Adds a check whose evidence could not be read.
   *
   * @param seen the evidence that could not be read
   * @param remedy the right that is required, or the file that is missing
   */
  public void couldNotLook(String id, String seen, String remedy) {
    add(Verdict.COULD_NOT_LOOK, id, seen, remedy);
  }

  public void notChecked(String id, String why) {
    add(Verdict.NOT_CHECKED, id, why, "");
  }

  /**
   * Adds a check of a rule, and quotes the rule if it is broken.
   *
   * @return whether the rule holds
   */
  public boolean must(String id, boolean holds, String seen, String rule) {
    add(holds ? Verdict.OK : Verdict.FAULT, id, seen, holds ? "" : "The rule: " + rule + ".");
    return holds;
  }

  /** Adds a check. */
  public void add(Verdict verdict, String id, String seen, String remedy) {
    sections
        .get(sections.size() - 1)
        .checks
        .add(new Check(verdict, id, inOneLine(seen), inOneLine(remedy)));
  }

  /** Returns whether this check decides the verdict. */
  public boolean isWorst(String id) {
    Check worst = worst();
    return worst != null && worst.id.equals(id);
  }

  /** Returns the worst verdict, without the checks of the host: they concern all processes. */
  public Verdict verdict() {
    Check worst = worst();
    return worst == null ? Verdict.NOT_CHECKED : worst.verdict;
  }

  /** Returns the id and the finding of the first of the worst checks, or "" if all is well. */
  public String headline() {
    Check worst = worst();
    return worst == null || worst.verdict == Verdict.OK ? "" : worst.id + ": " + worst.seen;
  }

  /** Returns the headline, and the number of other checks with the same verdict. */
  public String headlineAndCount() {
    Verdict worst = verdict();
    int more = -1;
    for (Section section : sections) {
      for (Check check : section.checks) {
        more += check.verdict == worst && !check.id.startsWith(HOST) ? 1 : 0;
      }
    }
    String headline = headline();
    return headline.isEmpty() || more < 1 ? headline : headline + " (+" + more + " more)";
  }

  private @Nullable Check worst() {
    Check worst = null;
    for (Section section : sections) {
      for (Check check : section.checks) {
        if (!check.id.startsWith(HOST)
            && (worst == null || check.verdict.compareTo(worst.verdict) > 0)) {
          worst = check;
        }
      }
    }
    return worst;
  }

  /** Returns the report as text. */
  public String text() {
    StringBuilder text = new StringBuilder("Process " + pid + ": " + process + "\n");
    int number = 0;
    for (Section section : sections) {
      if (section.checks.isEmpty()) {
        continue;
      }
      text.append('\n').append(++number).append(". ").append(section.title).append('\n');
      for (Check check : section.checks) {
        text.append(String.format("  %-16s%-26s %s%n", check.verdict, check.id, check.seen));
        if (!check.remedy.isEmpty()) {
          text.append(String.format("  %-42s -> %s%n", "", check.remedy));
        }
      }
    }
    text.append("\nVerdict: ").append(verdict());
    String headline = headline();
    return text.append(headline.isEmpty() ? "" : ", " + headline).append('\n').toString();
  }

  /**
   * Replaces line breaks and control characters. A process chooses its name and those of its
   * threads, and could otherwise control the terminal or imitate a line of the doctor.
   */
  public static String inOneLine(String value) {
    return value.replaceAll("[\\p{Cc}\\p{Cf}\u2028\u2029]", "?");
  }

  private static void field(StringBuilder json, String key, String value) {
    string(json, key);
    string(json.append(':'), value);
  }

  private static void string(StringBuilder json, String value) {
    json.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }

  /** Returns a JSON object that reports why something could not be examined. */
  public static String jsonOfError(String why) {
    StringBuilder json = new StringBuilder("{");
    field(json, "error", why);
    return json.append('}').toString();
  }

  /** Returns the report as one JSON object. */
  public String json() {
    StringBuilder json = new StringBuilder("{\"pid\":").append(pid);
    field(json.append(','), "process", process);
    field(json.append(','), "verdict", verdict().toString());
    json.append(",\"sections\":[");
    for (Section section : sections) {
      json.append(section == sections.get(0) ? "" : ",").append('{');
      field(json, "title", section.title);
      json.append(",\"checks\":[");
      for (Check check : section.checks) {
        json.append(check == section.checks.get(0) ? "" : ",").append('{');
        field(json, "id", check.id);
        field(json.append(','), "verdict", check.verdict.toString());
        field(json.append(','), "seen", check.seen);
        field(json.append(','), "remedy", check.remedy);
        json.append('}');
      }
      json.append("]}");
    }
    return json.append("]}").toString();
  }
}
