/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.internal.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The process record of Elastic's protocol, which a profiler reads once: a uint16 layout minor
 * version, then service name, service environment and socket path, each as a {@link Utf8Str}.
 *
 * <p>Source: Universal profiling integration, "Process storage".
 */
public final class ProcessStorage {
  /**
   * The maximum length in bytes. A profiler gives up on a process with a longer service name or
   * environment.
   */
  static final int MAX_NAME_LENGTH = 128;

  private static final short LAYOUT_MINOR_VERSION = 1;

  /**
   * Encodes the record in native endianness, with name and environment cut to what profilers
   * accept.
   */
  public static byte[] encode(String serviceName, String environment, String socketPath) {
    byte[] name = Utf8Str.encode(serviceName, MAX_NAME_LENGTH);
    byte[] env = Utf8Str.encode(environment, MAX_NAME_LENGTH);
    byte[] path = socketPath.getBytes(StandardCharsets.UTF_8);
    int length = Short.BYTES + 3 * Integer.BYTES + name.length + env.length + path.length;
    ByteBuffer encoded = ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
    encoded.putShort(LAYOUT_MINOR_VERSION);
    Utf8Str.put(encoded, name);
    Utf8Str.put(encoded, env);
    Utf8Str.put(encoded, path);
    return encoded.array();
  }

  private ProcessStorage() {}
}
