/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.conformance;

import io.otelprofiling.correlation.internal.posix.Errno;
import io.otelprofiling.doctor.internal.check.Subject;
import io.otelprofiling.doctor.internal.proc.Deadline;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
import io.otelprofiling.doctor.internal.reader.StatusBlock;
import io.otelprofiling.doctor.internal.report.Report;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/**
 * The rules for the socket and its messages. The messages that are sent do not change anything in a
 * process that keeps the rules. A valid registration message would, so it is not sent. Nor is a
 * valid correlation message in mode {@code auto} while the process waits for its first message.
 */
final class MessageRules {
  private static final String WAITING =
      "not sent: in mode auto, it could make the process delay spans";
  private static final int PATIENCE_MILLIS = 2000;

  /** 5 ms for each message. A profiler sends hundreds at once, and does not wait. */
  private static final int FLOOD_MILLIS = 10_000;

  private static final int LOOKS = 50;
  private static final int FLOOD = 2000;
  private static final int MAX_NOISE = 500;
  private static final int CORRELATION = 1;
  private static final int REGISTRATION = 2;
  private static final int UNKNOWN_TYPE = 0x7fff;

  private final Subject subject;
  private final Report rules;
  private final String path;
  private final Random random = new Random();

  /** Why messages are no longer sent, or "". */
  private String obstacle = "";

  MessageRules(Subject subject, Report rules, String path) {
    this.subject = subject;
    this.rules = rules;
    this.path = path;
  }

  void check() throws IOException {
    rules.section("Socket and messages");
    List<String[]> bound = subject.process.boundTo(path);
    if (bound.isEmpty() && subject.socket.isSocket() && !subject.socket.isRefused(path)) {
      rules.notChecked(
          "socket.bound-before-published", "it is bound in another network namespace, if at all");
      return;
    }
    if (rules.must(
            "socket.bound-before-published",
            !bound.isEmpty(),
            !bound.isEmpty() ? "bound" : "no socket is bound to " + path,
            "the socket is bound when the process storage is published")
        && rules.must(
            "socket.datagram",
            bound.get(0)[4].equals(TargetProcess.DATAGRAM),
            "type " + bound.get(0)[4],
            "a UNIX domain socket of type SOCK_DGRAM")) {
      rules.must("socket.file", subject.socket.isSocket(), path, "the path leads to a socket");
      messages();
    }
  }

  private void messages() throws IOException {
    if (isWaiting()) {
      rules.notChecked("message.correlation", WAITING);
      rules.notChecked("message.later-minor-version", WAITING);
    } else {
      survives("message.correlation", message(CORRELATION, 1, 46), "an unknown transaction");
      survives("message.later-minor-version", message(CORRELATION, 9, 200), "of a later version");
    }
    survives("message.truncated", message(CORRELATION, 1, 45), "one byte is missing");
    survives("message.empty", new byte[0], "no header");
    survives("message.unknown-type", message(UNKNOWN_TYPE, 1, 100), "an unknown type");
    survives("message.truncated-registration", message(REGISTRATION, 1, 7), "too short");
    byte[] falseLength = message(REGISTRATION, 1, 40);
    ByteBuffer.wrap(falseLength).putInt(8, -1);
    survives("message.false-length", falseLength, "a host id longer than the message");
    if (obstacle.isEmpty()) {
      flood();
    }
  }

  /** Returns whether it may be a plug-in in mode auto that waits for a first message. */
  private boolean isWaiting() {
    StatusBlock status = subject.status.value;
    return status == null ? subject.status.isUnread() : !status.text("state").equals("active");
  }

  private void survives(String id, byte[] datagram, String what) throws IOException {
    int error = obstacle.isEmpty() ? deliver(datagram, new Deadline(PATIENCE_MILLIS)) : 0;
    if (error < 0 || error == Errno.EACCES || error == Errno.EPERM) {
      obstacle = "the doctor cannot send messages, or is not allowed to";
    }
    if (!obstacle.isEmpty()) {
      rules.notChecked(id, obstacle);
      return;
    }
    boolean goesOn = goesOn();
    rules.must(
        id,
        error == 0 && goesOn,
        error == Errno.ETIMEDOUT
            ? "still in the queue after " + PATIENCE_MILLIS + " ms"
            : error != 0
                ? "refused with " + Errno.name(error)
                : goesOn ? "read" : "the socket or the process is gone",
        "the message is read and the process keeps running: " + what);
    if (error != 0 || !goesOn) {
      obstacle = "an earlier message has ended the process, its socket or its reader";
    }
  }

  /** Sends random messages at full speed. An agent must neither stop reading nor crash. */
  private void flood() throws IOException {
    Deadline end = new Deadline(FLOOD_MILLIS);
    int error = 0;
    int sent = 0;
    for (; sent < FLOOD && error == 0; sent++) {
      error = send(message(UNKNOWN_TYPE, 1, 4 + random.nextInt(MAX_NOISE)), 0, end);
    }
    // Once this message is read, all messages before it have been read.
    error = error != 0 ? error : deliver(message(UNKNOWN_TYPE, 1, 100), end);
    rules.must(
        "message.flood",
        error == 0 && goesOn(),
        error == 0
            ? FLOOD + " random messages were read"
            : "after " + sent + " messages, the queue was not emptied (" + Errno.name(error) + ")",
        "the queue is emptied whatever arrives: " + FLOOD + " messages within 10 s");
  }

  private int deliver(byte[] datagram, Deadline end) throws IOException {
    return send(datagram, PATIENCE_MILLIS, end);
  }

  /** Sends a message, and tries again while the queue is full. */
  private int send(byte[] datagram, int patienceMillis, Deadline end) throws IOException {
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
      return !subject.process.boundTo(path).isEmpty();
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
