/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/**
 * The process data that a library publishes: a layout minor version (uint16) and three strings,
 * each a length (uint32) and that many bytes of UTF-8. Source: "Universal profiling integration",
 * process correlation storage.
 */
public final class FoundProcessStorage {
  /** The longest service name and environment that the public profiler accepts, in bytes. */
  public static final int MAX_NAME = 128;

  /** The longest socket path that a profiler can reach through {@code /proc/PID/root}, in bytes. */
  public static final int MAX_SOCKET_PATH = 89;

  private static final int MAX_READ = 4096;

  public final int version;
  public final String serviceName;
  public final String environment;
  public final String socketPath;

  /**
   * @throws IOException if it cannot be decoded; the message names the field
   */
  public FoundProcessStorage(ProcessMemory memory, long address) throws IOException {
    version = memory.read(address, 2).getShort() & 0xffff;
    long[] at = {address + 2};
    serviceName = string(memory, at, "service-name");
    environment = string(memory, at, "service-environment");
    socketPath = string(memory, at, "socket-file-path");
  }

  private static String string(ProcessMemory memory, long[] at, String field) throws IOException {
    int length = memory.read(at[0], 4).getInt();
    if (length < 0 || length > MAX_READ) {
      throw new IOException(field + " has a length of " + (length & 0xffffffffL) + " bytes");
    }
    ByteBuffer bytes = memory.read(at[0] + 4, length);
    at[0] += 4L + length;
    try {
      return UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new IOException(field + " is not UTF-8", e);
    }
  }

  /** Returns what the public profiler does not accept, or "". */
  public String excess() {
    int name = Math.max(bytes(serviceName), bytes(environment));
    return version < 1
        ? "layout minor version 0"
        : name > MAX_NAME
            ? "a name has " + name + " bytes"
            : bytes(socketPath) > MAX_SOCKET_PATH
                ? "the socket path has " + bytes(socketPath) + " bytes"
                : "";
  }

  /** Returns whether a path means the same to a reader in any directory. */
  public static boolean isValid(String path) {
    return path.startsWith("/") && !(path + "/").contains("/../") && path.indexOf('\0') < 0;
  }

  /** Returns the length of a text in the storage, in bytes of UTF-8. */
  public static int bytes(String text) {
    return text.getBytes(UTF_8).length;
  }

  @Override
  public String toString() {
    String named = environment.isEmpty() ? "" : ", environment " + environment;
    return excess().isEmpty()
        ? "service " + serviceName + named + ", socket " + socketPath
        : excess();
  }
}
