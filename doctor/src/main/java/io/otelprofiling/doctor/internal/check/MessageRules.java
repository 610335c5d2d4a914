/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.check;

import static io.otelprofiling.doctor.internal.check.Words.rule;

import io.otelprofiling.correlation.internal.posix.Errno;
import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.reader.StatusBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The rules for the socket and its messages. The messages that are sent do not change anything in a
 * process that keeps the rules. A valid registration message would, so it is not sent. Nor is a
 * valid correlation message in mode {@code auto} while the process waits for its first message.
 */
final class MessageRules {
  private static final int PATIENCE_MILLIS = 2000;

  /** 5 ms for each message. A profiler sends hundreds at once, and does not wait. */
  private static final int FLOOD_MILLIS = 10_000;

  private static final int LOOKS = 50;
  private static final int FLOOD = 2000;
  private static final int MAX_NOISE = 500;
  private static final int CORRELATION = 1;
  private static final int REGISTRATION = 2;
  private static final int UNKNOWN_TYPE = 0x7fff;
  private static final String READ = "read";
  private static final String DATAGRAMS = "it takes datagrams";
  private static final String GONE = "the socket or the process is gone";

  private final Subject subject;
  private final Random random = new Random();
  private boolean hasOtherType;

  /** Why messages are no longer sent. */
  private Evidence<String> obstacle = Evidence.of("");

  MessageRules(Subject subject) {
    this.subject = subject;
  }

  List<Check<?>> rules() {
    byte[] falseLength = message(REGISTRATION, 1, 40);
    ByteBuffer.wrap(falseLength).putInt(8, -1);
    return Arrays.asList(
        rule("socket.bound-before-published", s -> s.socket.bound())
            .row(isBound -> isBound ? Check.ELSE : "none"),
        check("message.correlation", s -> valid(1, 46)),
        check("message.later-minor-version", s -> valid(9, 200)),
        check("message.truncated", s -> survives(message(CORRELATION, 1, 45))),
        check("message.empty", s -> survives(new byte[0])),
        check("message.unknown-type", s -> survives(message(UNKNOWN_TYPE, 1, 100))),
        check("message.truncated-registration", s -> survives(message(REGISTRATION, 1, 7))),
        check("message.false-length", s -> survives(falseLength)),
        check("message.flood", s -> path().then(path -> obstacle).then(none -> flood())),
        rule("socket.datagram", s -> path().then(path -> obstacle.isUnread() ? obstacle : type()))
            .rule(DATAGRAMS::equals));
  }

  private static Check<String> check(String id, Check.Source<String> source) {
    return Words.<String>rule(id, source).rule(READ::equals);
  }

  /** Returns the path of the socket, if there is one. */
  private Evidence<String> path() throws IOException {
    return subject.socket.bound().only(isBound -> isBound, "").then(isBound -> subject.socket.path);
  }

  private Evidence<String> type() {
    return Evidence.of(hasOtherType ? "it is of another type" : DATAGRAMS);
  }

  /** Sends a valid message, unless it may be a plug-in in mode auto that waits for a first one. */
  private Evidence<String> valid(int minorVersion, int length) throws IOException {
    StatusBlock status = subject.status.value;
    boolean isWaiting =
        status == null ? subject.status.isUnread() : !status.text("state").equals("active");
    return isWaiting
        ? path()
            .only(path -> false, "not sent: in mode auto, it could make the process delay spans")
        : survives(message(CORRELATION, minorVersion, length));
  }

  /** Sends a message, if the earlier ones did no harm. */
  private Evidence<String> survives(byte[] datagram) throws IOException {
    return path().then(path -> obstacle).then(none -> sent(datagram));
  }

  private Evidence<String> sent(byte[] datagram) throws IOException {
    int error = send(datagram, PATIENCE_MILLIS, new Deadline(PATIENCE_MILLIS));
    hasOtherType = error == SocketFacts.EPROTOTYPE;
    Evidence<String> found =
        error < 0 || error == Errno.EACCES || error == Errno.EPERM
            ? SocketFacts.unsent(error)
            : hasOtherType
                ? Evidence.none("not sent: see socket.datagram")
                : Evidence.of(seen(error));
    if (found.value == null) {
      obstacle = found;
    } else if (!found.value.equals(READ)) {
      obstacle =
          Evidence.none("an earlier message has ended the process, its socket or its reader");
    }
    return found;
  }

  private String seen(int error) {
    return error == Errno.ETIMEDOUT
        ? "still in the queue after " + PATIENCE_MILLIS + " ms"
        : error != 0 ? "refused with " + Errno.name(error) : goesOn() ? READ : GONE;
  }

  /** Sends random messages at full speed. An agent must neither stop reading nor crash. */
  private Evidence<String> flood() throws IOException {
    Deadline end = new Deadline(FLOOD_MILLIS);
    int error = 0;
    for (int sent = 0; sent < FLOOD && error == 0; sent++) {
      error = send(message(UNKNOWN_TYPE, 1, 4 + random.nextInt(MAX_NOISE)), 0, end);
    }
    return error == 0
        ? sent(message(UNKNOWN_TYPE, 1, 100)) // once it is read, all before it have been read
        : Evidence.of("the queue was not emptied (" + Errno.name(error) + ")");
  }

  /** Sends a message, and tries again while the queue is full. */
  private int send(byte[] datagram, int patienceMillis, Deadline end) throws IOException {
    String path = subject.socket.path.read();
    int error = subject.socket.deliver(path, datagram, patienceMillis);
    while (error == Errno.EAGAIN && end.pause(1)) {
      error = subject.socket.deliver(path, datagram, patienceMillis);
    }
    return error;
  }

  /** Returns whether the socket is still bound after the last message was handled. */
  private boolean goesOn() {
    Deadline end = new Deadline(PATIENCE_MILLIS);
    // A message is handled once all threads are asleep again. One look is not enough: while a
    // signal ends the process, its other threads seem asleep for a moment.
    for (int asleep = 0; asleep < LOOKS && end.pause(1); ) {
      asleep = subject.process.isAsleep() ? asleep + 1 : 0;
    }
    try {
      return !subject.process.hasEnded() && subject.socket.bound().orElse(false);
    } catch (IOException e) {
      return false;
    }
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
