/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import io.otelprofiling.doctor.internal.proc.ProcessMemory;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * A thread record, in Elastic's layout ("Universal profiling integration", thread local storage) or
 * in that of OTEP 4947. The offsets are declared again, because a reader that shared the writer's
 * constants would not notice its mistakes.
 *
 * <pre>
 *   Elastic's, 37 bytes                 OTEP 4947, 28 bytes and attributes
 *   0   layout minor version  uint16    0   trace id         uint8[16]
 *   2   valid                 uint8     16  span id          uint8[8]
 *   3   trace present         uint8     24  valid            uint8, 1
 *   4   trace flags           uint8     25  trace flags      uint8
 *   5   trace id              uint8[16] 26  attributes size  uint16
 *   21  span id               uint8[8]
 *   29  transaction id        uint8[8]
 * </pre>
 */
public final class FoundThreadRecord {
  private static final int LENGTH = 37;
  private static final int CONTEXT_LENGTH = 28;

  /** Elastic's layout minor version, or 1 in the other layout. */
  private final int version;

  public final int valid;
  private final int tracePresent;
  private final int flags;
  public final String traceId;
  public final String spanId;

  /** The id of the local root span; empty in the layout of OTEP 4947. */
  public final String transactionId;

  /**
   * @throws IOException if the address is not mapped
   */
  public FoundThreadRecord(ProcessMemory memory, long address, boolean isElastic)
      throws IOException {
    ByteBuffer bytes = memory.read(address, isElastic ? LENGTH : CONTEXT_LENGTH);
    int ids = isElastic ? 5 : 0;
    version = isElastic ? bytes.getShort(0) & 0xffff : 1;
    valid = bytes.get(isElastic ? 2 : 24) & 0xff;
    flags = bytes.get(isElastic ? 4 : 25) & 0xff;
    traceId = hex(bytes, ids, 16);
    spanId = hex(bytes, ids + 16, 8);
    transactionId = isElastic ? hex(bytes, 29, 8) : "";
    tracePresent = isElastic ? bytes.get(3) & 0xff : isZero(traceId) ? 0 : 1;
  }

  /** Returns whether a profiler finds a trace in this record. */
  public boolean showsTrace() {
    return valid != 0 && tracePresent != 0;
  }

  /** Returns how this record breaks the rules for records of stopped threads, or "". */
  public String problem() {
    if (version == 0) {
      return "layout minor version 0";
    }
    if (valid > 1 || tracePresent > 1) {
      return "valid is " + valid + ", trace present is " + tracePresent + ", neither 0 nor 1";
    }
    if (showsTrace() && (isZero(traceId) || isZero(spanId) || isZero(transactionId))) {
      return "a trace is present, but an id is all zeros";
    }
    return valid == 1 && !showsTrace() && !isZero(spanId) && transactionId.isEmpty()
        ? "a span id without a trace id"
        : "";
  }

  private static boolean isZero(String hex) {
    return !hex.isEmpty() && hex.matches("0*");
  }

  private static String hex(ByteBuffer bytes, int at, int length) {
    byte[] id = new byte[length];
    bytes.position(at);
    bytes.get(id);
    return String.format("%0" + 2 * length + "x", new BigInteger(1, id));
  }

  @Override
  public String toString() {
    return valid == 0
        ? "invalid"
        : tracePresent == 0
            ? "no trace"
            : "trace "
                + traceId
                + " span "
                + spanId
                + (transactionId.isEmpty() ? "" : " local root " + transactionId)
                + ((flags & 1) == 0 ? ", not sampled" : "");
  }
}
