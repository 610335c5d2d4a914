/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.embedded;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * The ids of stack traces: the first 16 bytes of the SHA-256 hash of the names of all frames from
 * the innermost one on, each in UTF-8 as {@code class.method} and a line feed, native ones as
 * {@code .function} and a line feed, the class of what was allocated or locked as {@code class.}
 * and a line feed, which no method has. The same stack has the same id in each process; lines and
 * how a method was compiled make no difference.
 */
final class StackTraceIds {
  private final MessageDigest digest;

  StackTraceIds() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JVM has SHA-256", e);
    }
  }

  /** Returns the stack with its id. */
  StackTrace identify(List<Frame> frames) {
    for (Frame frame : frames) {
      String line = frame.className + '.' + frame.methodName + '\n';
      digest.update(line.getBytes(StandardCharsets.UTF_8));
    }
    ByteBuffer hash = ByteBuffer.wrap(digest.digest());
    return new StackTrace(hash.getLong(), hash.getLong(), frames);
  }
}
