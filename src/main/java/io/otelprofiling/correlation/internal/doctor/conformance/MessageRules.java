/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.correlation.internal.doctor.conformance;

import io.otelprofiling.correlation.internal.doctor.check.Subject;
import io.otelprofiling.correlation.internal.doctor.proc.Files8;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * The rules for the socket, and what it does with messages. None of them changes anything in a
 * process that keeps the rules: a registration message that is valid would, and is not sent.
 */
final class MessageRules {
  private static final int EAGAIN = 11;
  private static final long PATIENCE_MILLIS = 2000;
  private static final int FLOOD = 2000;
  private static final int UNKNOWN_TYPE = 0x7fff;
  private static final String DATAGRAM_TYPE = "0002";

  private final Subject subject;
  private final Rules rules;
  private final String path;
  private final Path file;
  private final Random random = new Random();

  MessageRules(Subject subject, Rules rules, String path) {
    this.subject = subject;
    this.rules = rules;
    this.path = path;
    this.file = subject.process.inRoot(path);
  }

  void check() throws IOException {
    rules.section("Socket and messages");
    String[] bound = bound();
    if (!rules.must(
        "socket.bound-before-published",
        bound.length > 6,
        bound.length > 6 ? "bound" : "no socket is bound to " + path,
        "the socket is bound when the process storage is published")) {
      return;
    }
    rules.must(
        "socket.datagram",
        bound[4].equals(DATAGRAM_TYPE),
        "type " + bound[4],
        "a UNIX domain socket of type SOCK_DGRAM");
    int mode = Files8.unix(file, "mode");
    rules.must(
        "socket.file",
        !Files.isSymbolicLink(file) && mode != -1 && (mode & 0200) != 0,
        mode == -1 ? "does not exist" : String.format("mode %o", mode & 0777),
        "a file that the user of the process may write to");
    if (send(message(UNKNOWN_TYPE, 4)) < 0) {
      rules.notChecked("message.*", "no message can be sent from here", "Set -Djava.io.tmpdir.");
      return;
    }
    survives("message.correlation", correlation(1, 46), "a valid one for an unknown transaction");
    survives("message.later-minor-version", correlation(9, 200), "a longer one of a later version");
    survives("message.truncated", correlation(1, 45), "one byte is missing");
    survives("message.empty", new byte[0], "no header");
    survives("message.unknown-type", message(UNKNOWN_TYPE, 100), "a type that nobody knows");
    survives("message.truncated-registration", message(2, 7), "it ends in the samples delay");
    survives("message.false-length", falseLength(), "a host id longer than the message");
    flood();
  }

  private void survives(String id, byte[] datagram, String what) throws IOException {
    int error = send(datagram);
    rules.must(
        id,
        error == 0 && isAlive(),
        error != 0 ? "refused with errno " + error : isAlive() ? "taken" : "socket or process gone",
        "the message is taken and the process goes on: " + what);
  }

  /** A writer that does not empty its queue loses messages; one that dies of noise loses all. */
  private void flood() throws IOException {
    int error = 0;
    for (int i = 0; i < FLOOD && error == 0; i++) {
      byte[] noise = new byte[random.nextInt(500)];
      random.nextBytes(noise);
      if (noise.length > 1 && noise[1] == 0) {
        noise[1] = 0x7f; // not a type that is known, in either byte order
      }
      if (noise.length > 0 && noise[0] == 0) {
        noise[0] = 0x7f;
      }
      error = send(noise);
    }
    rules.must(
        "message.flood",
        error == 0 && isAlive(),
        error == 0 ? FLOOD + " random messages were taken" : "errno " + error + " for 2 s",
        "the queue is emptied, whatever arrives");
  }

  private int send(byte[] datagram) {
    long end = System.currentTimeMillis() + PATIENCE_MILLIS;
    while (true) {
      int error = subject.send(path, datagram);
      if (error != EAGAIN || System.currentTimeMillis() > end) {
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

  private boolean isAlive() throws IOException {
    return subject.process.exists() && bound().length > 6;
  }

  /** Returns the columns of the socket in the kernel's table, or none. */
  private String[] bound() throws IOException {
    for (String line : Files8.text(subject.process.file("net/unix")).split("\n", 0)) {
      if (line.endsWith(" " + path)) {
        return line.trim().split("\\s+", 0);
      }
    }
    return new String[0];
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
