/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.elastic.internal.otlp;

/**
 * A server's response to a request that it has read completely.
 *
 * @param status of HTTP or gRPC
 * @param header a header line, or null
 */
record Answer(Kind kind, int status, String header) {
  enum Kind {
    WHOLE,
    /** Sends half of the announced body, and then closes the connection. */
    HALF,
    RESET,
    /** Behaves like a killed process: nothing listens any more, and connections are reset. */
    DEATH,
    /** Does not answer before the server is closed. */
    NONE
  }

  static final Answer RESET = new Answer(Kind.RESET, 0, null);
  static final Answer DEATH = new Answer(Kind.DEATH, 0, null);
  static final Answer NONE = new Answer(Kind.NONE, 0, null);

  static Answer status(int status) {
    return new Answer(Kind.WHOLE, status, null);
  }

  static Answer half(int status) {
    return new Answer(Kind.HALF, status, null);
  }

  Answer with(String line) {
    return new Answer(kind, status, line);
  }
}
