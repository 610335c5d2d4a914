/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;

/**
 * A thread record ("Universal profiling integration", thread local storage). The offsets are
 * declared again, because a reader that shared the writer's constants would not notice its
 * mistakes.
 *
 * <pre>
 *   0   layout minor version  uint16    5   trace id         uint8[16]
 *   2   valid                 uint8     21  span id          uint8[8]
 *   3   trace present         uint8     29  transaction id   uint8[8]
 *   4   trace flags           uint8
 * </pre>
 */
public final class FoundThreadRecord {
  private static final int LENGTH = 37;

  /** The thread in which a pointer leads to this record, by its id in the doctor's namespace. */
  public final int tid;

  /** How this record breaks the rules for records of stopped threads, or "". */
  public final String problem;

  private final int valid;
  private final int tracePresent;
  private final int flags;
  public final String traceId;
  public final String spanId;
  public final String transactionId;

  /** Reads a record. One that is not mapped has a problem, and shows nothing. */
  public FoundThreadRecord(int tid, ProcessMemory memory, long address) {
    this.tid = tid;
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
    String lost = "";
    try {
      bytes = memory.read(address, LENGTH);
    } catch (IOException e) {
      lost = "its pointer leads to 0x" + Long.toHexString(address) + ", which is not mapped";
    }
    valid = bytes.get(2) & 0xff;
    tracePresent = bytes.get(3) & 0xff;
    flags = bytes.get(4);
    traceId = hex(bytes, 5, 16);
    spanId = hex(bytes, 21, 8);
    transactionId = hex(bytes, 29, 8);
    problem = lost.isEmpty() ? problem(bytes.getShort(0)) : lost;
  }

  /** Returns whether a profiler finds a trace in this record. */
  public boolean showsTrace() {
    return valid != 0 && tracePresent != 0;
  }

  private String problem(int version) {
    if (version == 0) {
      return "layout minor version 0";
    }
    if (valid > 1 || tracePresent > 1) {
      return "valid is " + valid + ", trace present is " + tracePresent + ", neither 0 nor 1";
    }
    boolean hasZeroId = (traceId + " " + spanId + " " + transactionId).matches("(.* )?0+( .*)?");
    return showsTrace() && hasZeroId ? "a trace is present, but an id is all zeros" : "";
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
            : String.format(
                "trace %s span %s local root %s%s",
                traceId, spanId, transactionId, (flags & 1) == 0 ? ", not sampled" : "");
  }
}
