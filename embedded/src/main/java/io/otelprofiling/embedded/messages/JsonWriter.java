/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.embedded.messages;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Writes JSON as OTLP has it: integers of 64 bits are strings, and so are numbers that JSON does
 * not have. Values and names follow one another as they are in the text. Not thread-safe.
 */
final class JsonWriter {
  private static final int INITIAL_CAPACITY = 1 << 12;

  private final StringBuilder text = new StringBuilder(INITIAL_CAPACITY);
  private boolean follows; // something precedes in the same object or array

  JsonWriter beginObject() {
    return begin('{');
  }

  JsonWriter endObject() {
    return end('}');
  }

  JsonWriter beginArray() {
    return begin('[');
  }

  JsonWriter endArray() {
    return end(']');
  }

  private JsonWriter begin(char bracket) {
    separate();
    text.append(bracket);
    follows = false;
    return this;
  }

  private JsonWriter end(char bracket) {
    text.append(bracket);
    follows = true;
    return this;
  }

  private void separate() {
    if (follows) {
      text.append(',');
    }
    follows = true;
  }

  JsonWriter name(String name) {
    separate();
    quote(name);
    text.append(':');
    follows = false;
    return this;
  }

  JsonWriter string(String value) {
    separate();
    quote(value);
    return this;
  }

  /** Writes an integer of 64 bits. */
  JsonWriter int64(long value) {
    separate();
    text.append('"').append(value).append('"');
    return this;
  }

  /** Writes an integer of 32 bits, or an enumeration. */
  JsonWriter int32(int value) {
    separate();
    text.append(value);
    return this;
  }

  JsonWriter bool(boolean value) {
    separate();
    text.append(value);
    return this;
  }

  JsonWriter number(double value) {
    separate();
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      quote(Double.toString(value));
    } else {
      text.append(value);
    }
    return this;
  }

  private void quote(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        text.append('\\').append(c);
      } else if (c < ' ') {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    text.append('"');
  }

  int length() {
    return text.length();
  }

  /** Returns the text in UTF-8, with a line feed. Half a surrogate pair becomes a question mark. */
  byte[] line() {
    return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
  }
}
