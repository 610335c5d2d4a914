/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import io.otelprofiling.doctor.internal.check.SocketFacts.Binding;
import io.otelprofiling.doctor.internal.check.SocketFacts.Place;
import io.otelprofiling.doctor.internal.proc.ProcFiles;
import java.util.function.Predicate;

/** The checks of the socket of a process, and of other agents in it. */
final class SocketRules {
  private static final int DIRECTORY = 0040000;
  private static final int SHORT_QUEUE = 64;
  private static final String FIND_OTHER =
      "Find the process that has the other one open (ss -xlp), end it and remove its file. The"
          + " plug-in then binds its socket again.";
  private static final String LINKED =
      "Profilers resolve links from another root directory: publish the real path.";

  static final Section SOCKET =
      new Section(
          "Socket",
          new Check<String>("socket.path", "the process data", s -> s.socket.path.get())
              .fault(String::isEmpty, "it is empty", "The library must publish a path.")
              .fault(
                  path -> !SocketFacts.isValid(path),
                  "%s is not absolute, or contains .. or NUL",
                  "The library must publish the real path of its socket.")
              .ok("%s"),
          new Check<Place>(
                  "socket.directory",
                  "the directory, in the root of the process",
                  s -> s.socket.directory.get())
              .fault(
                  place -> !place.exists,
                  "%s does not exist",
                  "Create it again as the user of the process, and exclude it from the cleanup of"
                      + " temporary files. The plug-in also creates it and binds its socket again,"
                      + " within a minute in which local root spans start or end.")
              .fault(
                  place -> !place.isOf(DIRECTORY),
                  "%s is not a directory",
                  "Remove the file. The plug-in then creates the directory again.")
              .warning(place -> !place.link.isEmpty(), "%s leads over a symbolic link", LINKED)
              .warning(
                  place -> !place.isOwn,
                  "%s, and the process is of another user",
                  "The owner can replace the socket: use a directory that belongs to the user of"
                      + " the process.")
              .warning(
                  place -> (place.mode & 0022) != 0,
                  "%s",
                  "Others than its owner may write to it, and could replace the socket: set mode"
                      + " 700.")
              .ok("%s"),
          new Check<Place>(
                  "socket.file", "the file, in the root of the process", s -> s.socket.file.get())
              .fault(
                  place -> !place.exists,
                  "%s does not exist",
                  "Something has deleted it: exclude otel-profiling-* from the cleanup of temporary"
                      + " files. The plug-in binds it again, but messages sent in the meantime are"
                      + " lost.")
              .fault(
                  place -> !ProcFiles.isSocket(place.mode),
                  "%s is not a socket",
                  "Remove this file.")
              .warning(
                  place -> !place.isWritable,
                  "%s: by its mode, the user of the process may not write to it",
                  "The public profiler then sends nothing: correct its owner or mode.")
              .ok("%s"),
          new Check<Binding>(
                  "socket.bound",
                  "what happens to a datagram, or the sockets of its network namespace",
                  s -> s.socket.binding.get())
              .ok(b -> b == Binding.ARRIVED || b == Binding.BUSY, "by this process: %s")
              .ok(is(Binding.OWN), "by this process: %s")
              .fault(is(Binding.TAKEN), "another process receives its messages: %s", FIND_OTHER)
              .fault(is(Binding.OTHER), "another process has bound it: %s", FIND_OTHER)
              .fault(
                  is(Binding.REFUSED),
                  "no socket is bound to it: %s",
                  "The file is a leftover: restart this process.")
              .fault(
                  is(Binding.NO_DATAGRAM),
                  "it is not a datagram socket",
                  "The library must use SOCK_DGRAM.")
              .unknown(is(Binding.SEVERAL), "%s", "All but one have lost their file. " + FIND_OTHER)
              .unknown(
                  is(Binding.NONE_HERE),
                  "%s, but the kernel accepts a connection to it",
                  "It was bound in another network namespace. " + FIND_OTHER)
              .note(binding -> true, "not decided: see inside.answer", ""),
          new Check<Binding>(
                  "inside.answer",
                  "whether a datagram is read",
                  s -> s.socket.binding.get().then(SocketRules::ifSent))
              .fault(
                  is(Binding.QUEUED),
                  "%s",
                  "Messages are being lost. Look for the thread otel-profiling-correlation-receiver"
                      + " in a thread dump.")
              .unknown(
                  is(Binding.UNCOUNTED),
                  "%s",
                  "Either its worker hangs: look for the thread otel-profiling-correlation in a"
                      + " thread dump. Or another process reads there: see ss -xlp.")
              .unknown(
                  is(Binding.HALTED),
                  "%s",
                  "See process.stopped, and look again when the process runs.")
              .ok("%s"),
          new Check<String>("socket.queue", "net.unix.max_dgram_qlen", SocketRules::queue)
              .warning(
                  length -> Integer.parseInt(length) < SHORT_QUEUE,
                  "net.unix.max_dgram_qlen is %s, and profilers send a few hundred at once",
                  "Set net.unix.max_dgram_qlen to 512 in the network namespace before the process"
                      + " starts.")
              .ok("%s messages"));

  static final Section OTHERS =
      new Section(
          "Other publishers",
          new Check<String>(
                  "others.publishers", "the names of jars", s -> new Hints(s).otherAgents())
              .warning(
                  found -> found.startsWith("next to"),
                  "%s",
                  "It may publish the same symbols or replace the context storage: run one"
                      + " of the two.")
              .ok(found -> !found.isEmpty(), "%s")
              .ok("none is known by the names of its jars"));

  private static Predicate<Binding> is(Binding binding) {
    return found -> found == binding;
  }

  /** Returns what became of a datagram, if one was sent. */
  private static Evidence<Binding> ifSent(Binding binding) {
    boolean isSent =
        binding == Binding.ARRIVED
            || binding == Binding.BUSY
            || binding == Binding.QUEUED
            || binding == Binding.UNCOUNTED
            || binding == Binding.HALTED;
    return isSent ? Evidence.of(binding) : Evidence.none("");
  }

  private static Evidence<String> queue(Subject subject) {
    return subject.socket.path.get().then(path -> subject.socket.queue());
  }

  private SocketRules() {}
}
