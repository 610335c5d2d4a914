/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Splits bytes into JSON values, of which there may be several on a line, or one on several lines.
 * A damaged value ends where the next message begins, so that only the damaged one is lost.
 */
final class JsonValues {
  /**
   * A value.
   *
   * @param line the number of its first line
   * @param whole false if its end is missing
   */
  @SuppressWarnings("ArrayRecordComponent") // which nobody compares
  record Value(byte[] json, int line, boolean whole, boolean tooLong) {}

  /** The bytes are null at the end. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Line(byte @Nullable [] bytes, boolean tooLong, long begin) {}

  private static final Pattern MESSAGE =
      Pattern.compile("\\s*\"(resource(Spans|Profiles|Logs|Metrics|_)|dictionary\")");
  private static final int LONGEST_START = 40;

  private final Lines lines;
  private final ByteArrayOutputStream value = new ByteArrayOutputStream();
  private @Nullable Line ahead;
  private byte[] line = {};
  private long begin; // of the line
  private int position;
  private int number;
  private int firstLine;
  private int depth;
  private boolean inString;
  private boolean escaped;

  /** Gives the first line the number after this one. */
  JsonValues(Lines lines, int linesBefore) {
    this.lines = lines;
    this.number = linesBefore;
  }

  /** The number of lines that were read whole. */
  int linesRead() {
    return number;
  }

  /**
   * Whether bytes that a process adds later cannot change the value that was read last: others
   * follow it, or it ends with its bracket.
   */
  boolean isSure(Value last) throws IOException {
    int length = last.json().length;
    boolean bracket =
        length > 0 && (last.json()[length - 1] == '}' || last.json()[length - 1] == ']');
    boolean atEnd =
        ahead != null ? ahead.bytes == null : position == line.length && lines.isAtEnd();
    return !atEnd || (last.whole() && bracket);
  }

  /** The bytes up to the end of the last value, and of its line if nothing else is on it. */
  long bytesRead() {
    return isLineRead() ? lines.bytesRead() : begin + position;
  }

  /** The number of lines before those bytes end. */
  int linesBefore() {
    return isLineRead() && lines.isEnded() ? number : number - 1;
  }

  private boolean isLineRead() {
    return ahead == null && position == line.length;
  }

  /** Null at the end. */
  @Nullable Value next() throws IOException {
    while (true) {
      skipSpace();
      if (position == line.length) {
        Line read = ahead == null ? readLine() : ahead;
        ahead = null;
        if (read.bytes == null) {
          return value.size() == 0 ? null : end(false);
        }
        number++;
        line = read.bytes;
        begin = read.begin;
        position = 0;
        if (read.tooLong) {
          value.reset();
          depth = 0;
          return new Value(new byte[0], number, false, true);
        }
        if (value.size() > 0 && beginsMessage()) {
          return end(false);
        }
        continue;
      }
      if (value.size() == 0) {
        firstLine = number;
      }
      int start = position;
      boolean ended = scan();
      if (ended && value.size() == 0 && position - start == line.length) {
        return new Value(line, firstLine, true, false);
      }
      value.write(line, start, position - start);
      if (ended || inString) {
        return end(ended); // no string goes on in the next line
      }
      if (value.size() > Lines.LIMIT) {
        end(false);
        return new Value(new byte[0], firstLine, false, true);
      }
    }
  }

  private Line readLine() throws IOException {
    byte[] bytes = lines.next();
    return new Line(bytes, lines.tooLong(), lines.begin());
  }

  private Value end(boolean whole) {
    byte[] json = value.toByteArray();
    value.reset();
    depth = 0;
    inString = false;
    escaped = false;
    return new Value(json, firstLine, whole, false);
  }

  /** Moves behind the end of the value, or of the line. Returns whether the value has ended. */
  private boolean scan() {
    if (depth == 0 && line[position] != '{' && line[position] != '[') {
      position = line.length;
      return true; // neither an object nor an array
    }
    byte[] bytes = line;
    int at = position;
    while (at < bytes.length) {
      if (inString) {
        at = behindString(at);
        continue;
      }
      byte next = bytes[at++];
      if (next == '"') {
        inString = true;
      } else if (next == '{' || next == '[') {
        depth++;
      } else if ((next == '}' || next == ']') && --depth == 0) {
        position = at;
        return true;
      }
    }
    position = at;
    return false;
  }

  /** The place behind the quote that ends a string, or the end of the line. */
  private int behindString(int from) {
    byte[] bytes = line;
    int at = escaped ? from + 1 : from;
    escaped = false;
    while (at < bytes.length) {
      byte next = bytes[at++];
      if (next == '"') {
        inString = false;
        return at;
      }
      if (next == '\\') {
        escaped = at == bytes.length;
        at += escaped ? 0 : 1;
      }
    }
    return at;
  }

  private void skipSpace() {
    while (position < line.length && isSpace(line[position])) {
      position++;
    }
  }

  private static boolean isSpace(byte one) {
    return one == ' ' || one == '\t' || one == '\r';
  }

  /** Whether this line begins a message and does not continue the value before it. */
  private boolean beginsMessage() throws IOException {
    if (line.length == 0 || line[0] != '{') {
      return false;
    }
    position = 1;
    skipSpace();
    boolean alone = position == line.length;
    position = 0;
    if (!alone) {
      return MESSAGE.matcher(start(line, 1)).lookingAt();
    }
    ahead = readLine();
    return ahead.bytes == null || MESSAGE.matcher(start(ahead.bytes, 0)).lookingAt();
  }

  private static String start(byte[] bytes, int from) {
    return new String(bytes, from, Math.min(LONGEST_START, bytes.length - from), US_ASCII);
  }
}
