/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** The length of the kernel's queue of datagrams in the network namespace of this process. */
final class QueueLength {
  private static final Path SETTING = Paths.get("/proc/sys/net/unix/max_dgram_qlen");

  /** Returns how many datagrams the kernel queues for a socket that is opened now, or -1. */
  static long ofNewSockets() {
    byte[] digits = new byte[32];
    // In one read: the kernel answers only the first, and readAllBytes begins with a single byte.
    try (InputStream in = Files.newInputStream(SETTING)) {
      return Long.parseLong(new String(digits, 0, Math.max(in.read(digits), 0), ISO_8859_1).trim());
    } catch (IOException | RuntimeException e) {
      return -1;
    }
  }

  private QueueLength() {}
}
