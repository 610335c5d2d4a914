/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.answers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.flamespan.page.output.Markdown;
import io.flamespan.page.results.Measure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A text in Markdown that fits into the context of an agent: at most {@link #LIMIT} bytes, which
 * are at most 2,000 tokens, as a token has two bytes and more in such tables.
 */
final class Answer {
  static final int LIMIT = 4_000;

  private static final int LONGEST_NAME = 90;
  private static final int OTHERS = 250; // for the row that sums up those left out

  private final StringBuilder text = new StringBuilder();
  private int bytes;

  Answer line(String format, Object... values) {
    String line = String.format(Locale.ROOT, format, values) + "\n";
    text.append(line);
    bytes += line.getBytes(UTF_8).length;
    return this;
  }

  /** Writes the first line, and the others as long as all are of at most so many bytes. */
  Answer lines(List<String> lines, int limit) {
    int end = bytes + limit;
    for (int place = 0; place < lines.size(); place++) {
      if (place > 0 && bytes + size(lines.get(place)) > end) {
        break;
      }
      line("%s", lines.get(place));
    }
    return this;
  }

  static int size(String line) {
    return line.getBytes(UTF_8).length + 1;
  }

  /** Writes rows as long as there is room for the others in one, and for the end. */
  int rows(List<String> rows, Answer end) {
    return rows(rows, end, LIMIT);
  }

  /** The same, so that the text until here and the end stay below another limit. */
  int rows(List<String> rows, Answer end, int limit) {
    int written = 0;
    for (String row : rows) {
      int size = size(row);
      boolean others = written + 1 < rows.size();
      if (bytes + size + (others ? OTHERS : 0) > limit - end.bytes) {
        break;
      }
      text.append(row).append('\n');
      bytes += size;
      written++;
    }
    return written;
  }

  int bytes() {
    return bytes;
  }

  Answer add(Answer other) {
    text.append(other.text);
    bytes += other.bytes;
    return this;
  }

  static String name(String name) {
    // The parameters of a method are the first to go, then the packages.
    String cut = isLong(name) ? name.replaceFirst("\\(.*\\)$", "(…)") : name;
    return Markdown.text(isLong(cut) ? "…" + end(cut, LONGEST_NAME - 1) : cut);
  }

  /** The last characters of a longer text. */
  static String end(String text, int characters) {
    return text.substring(text.offsetByCodePoints(text.length(), -characters));
  }

  private static boolean isLong(String name) {
    return name.codePointCount(0, name.length()) > LONGEST_NAME;
  }

  /** Nanoseconds in milliseconds, or bytes in megabytes. */
  static String millions(double amount) {
    return String.format(Locale.ROOT, "%.3f", amount / 1e6);
  }

  /** The unit of {@link #millions}. */
  static String unit(Measure measure) {
    return measure == Measure.ALLOC ? "MB" : "ms";
  }

  static String percent(double part, double whole) {
    return String.format(Locale.ROOT, "%.1f", whole == 0 ? 0 : 100 * part / whole);
  }

  static String row(Object... cells) {
    List<String> texts = new ArrayList<>();
    for (Object cell : cells) {
      texts.add(String.valueOf(cell));
    }
    return "| " + String.join(" | ", texts) + " |";
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
