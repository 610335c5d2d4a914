/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads the memory of a running process without stopping or changing it. */
public final class ProcessMemory implements Closeable {
  private final RandomAccessFile file;

  /**
   * @throws IOException if the doctor does not have the rights of a tracer
   */
  public ProcessMemory(TargetProcess process) throws IOException {
    file = new RandomAccessFile(process.file("mem").toFile(), "r");
  }

  /**
   * Returns a copy of {@code length} bytes, in native byte order. A thread whose time is over may
   * still read, while another one does.
   *
   * @throws IOException if the address is not mapped
   */
  public synchronized ByteBuffer read(long address, int length) throws IOException {
    byte[] bytes = new byte[length];
    if (address <= 0) {
      throw new IOException("no memory at 0x" + Long.toHexString(address));
    }
    try {
      file.seek(address);
      file.readFully(bytes);
    } catch (IOException e) {
      throw new IOException(
          "cannot read " + length + " bytes at 0x" + Long.toHexString(address), e);
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  public long word(long address) throws IOException {
    return read(address, Long.BYTES).getLong();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
