/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static io.otelprofiling.doctor.internal.check.Words.check;

import io.otelprofiling.doctor.internal.check.SocketFacts.Binding;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import java.io.IOException;
import java.util.EnumSet;

/** The checks of the socket of a process. */
final class SocketRules {
  private static final int SHORT_QUEUE = 64;
  private static final EnumSet<Binding> ASKED =
      EnumSet.of(Binding.COUNTED, Binding.UNCLEAR, Binding.UNCOUNTED, Binding.UNREAD);

  static final Section SOCKET =
      new Section(
          "Socket",
          check("socket.path", s -> s.socket.path)
              .when("invalid", path -> !FoundProcessStorage.isValid(path)),
          check("socket.file", s -> s.socket.place),
          check("socket.bound", s -> s.socket.binding()),
          check("inside.answer", s -> s.socket.binding().only(ASKED::contains, "")),
          check("socket.queue", SocketRules::queue).when("short", length -> length < SHORT_QUEUE));

  private static Evidence<Long> queue(Subject subject) throws IOException {
    return subject.status.map(status -> status.number("max_dgram_qlen")).only(n -> n > 0, "");
  }

  private SocketRules() {}
}
