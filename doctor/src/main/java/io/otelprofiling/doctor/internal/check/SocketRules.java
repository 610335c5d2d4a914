/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.check.SocketFacts.Binding;
import io.otelprofiling.doctor.internal.check.SocketFacts.Place;
import io.otelprofiling.doctor.internal.reader.FoundProcessStorage;
import io.otelprofiling.doctor.internal.report.Verdict;
import java.io.IOException;
import java.util.EnumSet;

/** The checks of the socket of a process. */
final class SocketRules {
  private static final int SHORT_QUEUE = 64;
  private static final String FIND_OTHER =
      "Find the process that has the other one open (ss -xlp), end it and remove its file. The"
          + " plug-in then binds its socket again.";

  private static final EnumSet<Binding> ASKED =
      EnumSet.of(Binding.COUNTED, Binding.UNCOUNTED, Binding.UNREAD);

  static final Section SOCKET =
      new Section(
          "Socket",
          new Check<>("socket.path", "the process data", s -> s.socket.path)
              .fault(
                  path -> !FoundProcessStorage.isValid(path),
                  "'%s' is not absolute, or contains .. or NUL",
                  "The library must publish the real path of its socket.")
              .ok("%s"),
          new Check<>("socket.file", "the file, in the root of the process", s -> s.socket.place)
              .fault(
                  place -> place == Place.MISSING,
                  "it does not exist",
                  "Something has deleted it: exclude otel-profiling-* from the cleanup of temporary"
                      + " files. The plug-in binds it again within a minute in which local root"
                      + " spans start or end, but messages sent in the meantime are lost.")
              .fault(place -> place == Place.NO_SOCKET, "it is not a socket", "Remove this file.")
              .warning(
                  place -> place == Place.LINKED,
                  "its path leads over a symbolic link",
                  "Profilers resolve links from another root directory: publish the real path.")
              .ok("it is a socket"),
          new Check<>(
                  "socket.bound",
                  "what happens to a datagram or, without a status, to a connection",
                  s -> s.socket.binding())
              .fault(
                  b -> b == Binding.TAKEN, "another process receives its messages: %s", FIND_OTHER)
              .fault(
                  b -> b == Binding.REFUSED,
                  "no socket is bound to it: %s",
                  "The file is a leftover: restart this process.")
              .fault(
                  b -> b == Binding.NO_DATAGRAM,
                  "it is not a datagram socket",
                  "The library must use SOCK_DGRAM.")
              .row(Verdict.OK, b -> b == Binding.COUNTED, "by this process: %s", "")
              .note(b -> b == Binding.NOT_REFUSED, "%s")
              .note(b -> true, "not decided: see inside.answer"),
          new Check<>(
                  "inside.answer",
                  "whether a datagram is read",
                  s -> s.socket.binding().only(ASKED::contains, ""))
              .unknown(
                  b -> b != Binding.COUNTED,
                  "%s",
                  "The process may not run: see process.stopped. Its worker may hang: look for the"
                      + " threads otel-profiling-correlation in a thread dump. Or another process"
                      + " reads there: see ss -xlp.")
              .ok("%s"),
          new Check<>("socket.queue", "the status of the plug-in", SocketRules::queue)
              .warning(
                  length -> length < SHORT_QUEUE,
                  "net.unix.max_dgram_qlen is %s, and profilers send a few hundred at once",
                  "Set net.unix.max_dgram_qlen to 512 in the network namespace before the process"
                      + " starts.")
              .ok("%s messages"));

  private static Evidence<Long> queue(Subject subject) throws IOException {
    return subject.status.map(status -> status.number("max_dgram_qlen")).only(n -> n > 0, "");
  }

  private SocketRules() {}
}
