/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.elastic.internal.otlp;

/**
 * How a server answers a request that it has read whole.
 *
 * @param status of HTTP or gRPC
 * @param header a line of the head, or null
 */
record Answer(Kind kind, int status, String header) {
  enum Kind {
    WHOLE,
    /** Half of the announced body, and then the end of the connection. */
    HALF,
    RESET,
    /** As a process that is killed: nothing listens any more, and connections are reset. */
    DEATH,
    /** None before the server is closed. */
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
