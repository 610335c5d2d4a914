/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.conformance;

import io.otelprofiling.correlation.internal.posix.Errno;
import io.otelprofiling.doctor.internal.check.Subject;
import io.otelprofiling.doctor.internal.proc.TargetProcess;
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
  private static final String NOT_SENT =
      "not sent: in mode auto, it could make the process delay spans";
  private static final int PATIENCE_MILLIS = 2000;

  /** 5 ms for each message. A profiler sends hundreds at once, and does not wait. */
  private static final long FLOOD_MILLIS = 10_000;

  private static final int LOOKS = 50;
  private static final int FLOOD = 2000;
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
    if (!rules.must(
        "socket.bound-before-published",
        !bound.isEmpty(),
        !bound.isEmpty() ? "bound" : "no socket is bound to " + path,
        "the socket is bound when the process storage is published")) {
      return;
    }
    if (!rules.must(
        "socket.datagram",
        bound.get(0)[4].equals(TargetProcess.DATAGRAM),
        "type " + bound.get(0)[4],
        "a UNIX domain socket of type SOCK_DGRAM")) {
      return;
    }
    rules.must(
        "socket.file",
        subject.socket.isSocket(),
        path,
        "a file that the user of the process can write to");
    String inactive = subject.isWaiting() ? NOT_SENT : "";
    obstacle = inactive;
    survives("message.correlation", correlation(1, 46), "valid, for an unknown transaction");
    survives("message.later-minor-version", correlation(9, 200), "longer, of a later version");
    if (obstacle.equals(inactive)) {
      obstacle = "";
    }
    survives("message.truncated", correlation(1, 45), "one byte is missing");
    survives("message.empty", new byte[0], "no header");
    survives("message.unknown-type", message(UNKNOWN_TYPE, 100), "an unknown type");
    survives("message.truncated-registration", message(2, 7), "it ends in the samples delay");
    survives("message.false-length", falseLength(), "a host id longer than the message");
    if (obstacle.isEmpty()) {
      flood();
    }
  }

  private void survives(String id, byte[] datagram, String what) throws IOException {
    int error = obstacle.isEmpty() ? deliver(datagram) : 0;
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

  /** Sends random bytes at full speed. An agent must neither stop reading its queue nor crash. */
  private void flood() throws IOException {
    int error = 0;
    int sent = 0;
    long end = System.currentTimeMillis() + FLOOD_MILLIS;
    for (; sent < FLOOD && error == 0; sent++) {
      byte[] noise = new byte[random.nextInt(500)];
      random.nextBytes(noise);
      if (noise.length > 1 && noise[1] == 0) {
        noise[1] = 0x7f; // an unknown type in either byte order
      }
      if (noise.length > 0 && noise[0] == 0) {
        noise[0] = 0x7f;
      }
      error = send(noise, end);
    }
    // Once this message is read, all messages before it have been read.
    error = error != 0 ? error : deliver(message(UNKNOWN_TYPE, 100));
    rules.must(
        "message.flood",
        error == 0 && goesOn(),
        error == 0
            ? FLOOD + " random messages were read"
            : "after " + sent + " messages, the queue was not emptied (" + Errno.name(error) + ")",
        "the queue is emptied whatever arrives: "
            + FLOOD
            + " messages within "
            + FLOOD_MILLIS / 1000
            + " s");
  }

  private int send(byte[] datagram, long end) throws IOException {
    return deliver(datagram, 0, end);
  }

  private int deliver(byte[] datagram) throws IOException {
    return deliver(datagram, PATIENCE_MILLIS, System.currentTimeMillis() + PATIENCE_MILLIS);
  }

  /** Sends a message, and tries again while the queue is full. */
  private int deliver(byte[] datagram, int patienceMillis, long end) throws IOException {
    while (true) {
      int error = subject.socket.deliver(path, datagram, patienceMillis);
      if (error != Errno.EAGAIN || System.currentTimeMillis() > end) {
        return error;
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return error;
      }
    }
  }

  /** Returns whether the socket is still bound after the last message was handled. */
  private boolean goesOn() {
    long end = System.currentTimeMillis() + PATIENCE_MILLIS;
    try {
      // A message is handled once all threads are asleep again. One look is not enough: while a
      // signal ends the process, its other threads seem asleep for a moment.
      for (int asleep = 0; asleep < LOOKS && System.currentTimeMillis() < end; ) {
        asleep = subject.process.isAsleep() ? asleep + 1 : 0;
        Thread.sleep(1);
      }
      return !subject.process.boundTo(path).isEmpty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (IOException e) {
      return false;
    }
  }

  private byte[] correlation(int minorVersion, int length) {
    ByteBuffer message = ByteBuffer.wrap(message(1, length)).order(ByteOrder.nativeOrder());
    message.putShort(2, (short) minorVersion);
    return message.array();
  }

  private byte[] falseLength() {
    ByteBuffer message = ByteBuffer.wrap(message(2, 40)).order(ByteOrder.nativeOrder());
    message.putInt(8, -1);
    return message.array();
  }

  private byte[] message(int type, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.nativeOrder())
        .putShort((short) type)
        .putShort((short) 1);
    return bytes;
  }
}
