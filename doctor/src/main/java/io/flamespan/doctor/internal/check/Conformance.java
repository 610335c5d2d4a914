/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.check;

import static io.flamespan.doctor.internal.check.Check.rule;
import static io.flamespan.doctor.internal.proc.FoundProcessStorage.bytes;

import io.flamespan.correlation.internal.posix.Errno;
import io.flamespan.doctor.internal.proc.Deadline;
import io.flamespan.doctor.internal.proc.FoundProcessStorage;
import io.flamespan.doctor.internal.proc.StatusBlock;
import io.flamespan.doctor.internal.proc.TargetProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * The rules of the protocol, for any process that implements it, as checks of the evidence that the
 * report has. The messages that are sent do not change anything in a process that keeps the rules.
 * A valid registration message would, so it is not sent. Nor is a valid correlation message in mode
 * {@code auto} while the process waits for its first message.
 */
public final class Conformance {
  private static final long LIMIT_MILLIS = 60_000;
  private static final int LOOKS = 100;
  private static final int CORRELATION = 1;
  private static final int REGISTRATION = 2;
  private static final int UNKNOWN_TYPE = 0x7fff;
  private static final String READ = "read";
  private static final String WAITING =
      "not sent: in mode auto, it could make the process delay spans";
  private static final String HARM =
      "an earlier message has ended the process, its socket or its reader";
  private static final String DATAGRAMS = "it takes datagrams";
  private static final String GONE = "the socket or the process is gone";
  private static final String REFUSED = "refused with ";
  private static final String QUEUED =
      "still in the queue after " + SocketFacts.PATIENCE_MILLIS + " ms";

  private final Subject subject;
  private final Random random = new Random();
  private boolean hasOtherType;

  /** Why messages are no longer sent. */
  private Evidence<String> obstacle = Evidence.of("");

  private Conformance(Subject subject) {
    this.subject = subject;
  }

  /**
   * Examines a process. Sends messages to its socket that do not change anything in it.
   *
   * @throws IOException if its memory cannot be read
   */
  public static Report of(TargetProcess process) throws IOException {
    boolean isHalted = !process.halt().isEmpty();
    Report report = new Report(process.pid, process.name());
    try (Subject subject = new Subject(process, new Deadline(LIMIT_MILLIS))) {
      subject.memory.read();
      for (Check<?> rule : new Conformance(subject).rules()) {
        if (!isHalted) {
          rule.examine(subject, report, LIMIT_MILLIS);
        }
        isHalted |= !process.halt().isEmpty();
      }
    }
    return isHalted
        ? new Report(
            "The process is stopped or frozen, so it breaks rules that it keeps while it runs: send"
                + " it SIGCONT, or thaw its cgroup.")
        : report;
  }

  /** Returns the rules, of which most conclude from what a check of the report reads. */
  private List<Check<?>> rules() {
    byte[] falseLength = message(REGISTRATION, 1, 40);
    ByteBuffer.wrap(falseLength).putInt(8, -1);
    List<Check<?>> own = new ArrayList<>();
    own.add(rule("storage.minor-version", s -> s.storage.map(d -> d.version)).rule(v -> v >= 1));
    own.add(name("storage.service-name", data -> data.serviceName));
    own.add(name("storage.environment", data -> data.environment));
    Evidence<LiveThreads> seen =
        subject.read("the threads", LIMIT_MILLIS, () -> LiveThreads.of(subject, LOOKS));
    for (String id : LiveThreads.RULES) {
      own.add(
          Check.<LiveThreads>rule(id, s -> seen)
              .text(looks -> looks.problem(id))
              .row(looks -> looks.row(id)));
    }
    own.add(
        rule("socket.bound-before-published", s -> s.socket.bound())
            .row(isBound -> isBound ? Check.ELSE : "none"));
    own.add(message("message.correlation", s -> valid(1, 46)));
    own.add(message("message.later-minor-version", s -> valid(9, 200)));
    own.add(message("message.truncated", s -> survives(message(CORRELATION, 1, 45))));
    own.add(message("message.empty", s -> survives(new byte[0])));
    own.add(message("message.unknown-type", s -> survives(message(UNKNOWN_TYPE, 1, 100))));
    own.add(message("message.truncated-registration", s -> survives(message(REGISTRATION, 1, 7))));
    own.add(message("message.false-length", s -> survives(falseLength)));
    own.add(rule("socket.datagram", s -> type()).rule(DATAGRAMS::equals));
    return Check.rules(own);
  }

  private static Check<String> name(String id, Function<FoundProcessStorage, String> name) {
    return Check.<String>rule(id, s -> s.storage.map(name))
        .text(text -> bytes(text) + " bytes")
        .rule(text -> bytes(text) <= FoundProcessStorage.MAX_NAME && text.indexOf('\0') < 0);
  }

  private static Check<String> message(String id, Check.Source<String> source) {
    return Check.<String>rule(id, source).rule(READ::equals);
  }

  private Evidence<Boolean> bound() throws IOException {
    return subject.socket.bound().only(isBound -> isBound, "");
  }

  private Evidence<String> type() throws IOException {
    return obstacle.value == null && !hasOtherType
        ? obstacle
        : bound().then(bound -> Evidence.of(hasOtherType ? "it is of another type" : DATAGRAMS));
  }

  /** Sends a valid message, unless it may be a plug-in in mode auto that waits for a first one. */
  private Evidence<String> valid(int minorVersion, int length) throws IOException {
    StatusBlock status = subject.status.value;
    boolean isWaiting =
        status == null ? subject.status.isUnread() : !status.text("state").equals("active");
    return isWaiting
        ? bound().then(bound -> Evidence.none(WAITING))
        : survives(message(CORRELATION, minorVersion, length));
  }

  private Evidence<String> survives(byte[] datagram) throws IOException {
    return obstacle.then(none -> bound()).then(bound -> sent(datagram));
  }

  /** Sends a message twice: once the second one is read, the first one has been handled. */
  private Evidence<String> sent(byte[] datagram) throws IOException {
    int first = send(datagram);
    int error = first == 0 ? send(datagram) : first;
    hasOtherType = error == SocketFacts.EPROTOTYPE;
    boolean isGone = first == 0 && (error != 0 || !subject.socket.bound().orElse(false));
    Evidence<String> found =
        error == Errno.EACCES || error == Errno.EPERM
            ? SocketFacts.unsent(error)
            : error == Errno.ETIMEDOUT || error == Errno.EAGAIN
                ? Evidence.unread(QUEUED, "Its reader hangs or is slow: look at its threads.")
                : hasOtherType
                    ? Evidence.none("not sent: see socket.datagram")
                    : Evidence.of(isGone ? GONE : first == 0 ? READ : REFUSED + Errno.name(first));
    if (!READ.equals(found.value)) {
      obstacle = found.value == null ? found : Evidence.none(HARM);
    }
    return found;
  }

  /** Sends a message, and tries again while the queue is full. */
  private int send(byte[] datagram) throws IOException {
    Deadline end = new Deadline(SocketFacts.PATIENCE_MILLIS);
    int error = subject.socket.deliver(datagram);
    while (error == Errno.EAGAIN && end.pause(1)) {
      error = subject.socket.deliver(datagram);
    }
    return error;
  }

  /** Returns a message with a random content. */
  private byte[] message(int type, int minorVersion, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.nativeOrder())
        .putShort((short) type)
        .putShort((short) minorVersion);
    return bytes;
  }
}
