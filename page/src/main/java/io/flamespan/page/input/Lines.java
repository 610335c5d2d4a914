/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Splits bytes at line feeds, with or without carriage returns. Skips a line beyond the limit and
 * does not keep it in memory.
 */
final class Lines {
  static final int LIMIT = 1 << 26;

  private final InputStream bytes;
  private final byte[] buffer = new byte[1 << 16];
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private int position;
  private int end;
  private long filled; // bytes, up to the end of the buffer
  private long begin;
  private boolean isAtEnd;
  private boolean isEnded;
  private boolean tooLong;

  Lines(InputStream bytes) {
    this.bytes = bytes;
  }

  /** Null at the end. */
  byte @Nullable [] next() throws IOException {
    tooLong = false;
    isEnded = false;
    begin = bytesRead();
    line.reset();
    boolean any = false;
    while (position < end || fill()) {
      any = true;
      int start = position;
      position = lineFeed(buffer, start, end);
      append(start, position);
      if (position < end) {
        position++;
        isEnded = true;
        return whole();
      }
    }
    return any ? whole() : null;
  }

  /** The place of the first line feed, or the end. */
  private static int lineFeed(byte[] bytes, int begin, int end) {
    int at = begin;
    while (at < end && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  private byte[] whole() {
    byte[] whole = line.toByteArray();
    boolean carriageReturn = whole.length > 0 && whole[whole.length - 1] == '\r';
    return carriageReturn ? Arrays.copyOf(whole, whole.length - 1) : whole;
  }

  /** After how many bytes the last line begins. */
  long begin() {
    return begin;
  }

  long bytesRead() {
    return filled - end + position;
  }

  /** Whether the last line has a line feed at its end. */
  boolean isEnded() {
    return isEnded;
  }

  /** Whether no byte follows. Bytes that a process adds after this are not read. */
  boolean isAtEnd() throws IOException {
    return position == end && !fill();
  }

  /** Whether the last line was beyond the limit; its bytes are missing then. */
  boolean tooLong() {
    return tooLong;
  }

  private void append(int from, int to) {
    if (tooLong || line.size() + (to - from) > LIMIT) {
      tooLong = true;
      line.reset();
    } else {
      line.write(buffer, from, to - from);
    }
  }

  private boolean fill() throws IOException {
    position = 0;
    end = isAtEnd ? 0 : Math.max(0, bytes.read(buffer));
    filled += end;
    isAtEnd = end == 0;
    return !isAtEnd;
  }
}
