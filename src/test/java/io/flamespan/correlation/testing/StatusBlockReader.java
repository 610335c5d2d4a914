/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the status of a process from its memory, as docs/internals/status-block.md describes it.
 * Shares no constant with the plug-in, and needs neither its classes nor its files.
 */
public final class StatusBlockReader implements AutoCloseable {
  private static final String SYMBOL = "flamespan_status_v1";

  private final RandomAccessFile memory;
  private final long pointer;

  /** Finds the symbol of the library that this process has mapped. */
  public StatusBlockReader(long pid) {
    try {
      memory = new RandomAccessFile("/proc/" + pid + "/mem", "r");
      pointer = symbol(base(pid));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long base(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/maps"))) {
      String[] fields = line.split(" +");
      if (fields.length > 5
          && fields[2].equals("00000000")
          && fields[5].matches(".*/elastic-jvmti-[^/]*[.]so")) {
        return Long.parseUnsignedLong(fields[0].split("-")[0], 16);
      }
    }
    throw new IllegalStateException("process " + pid + " has not loaded the library");
  }

  private byte[] bytes(long address, int length) throws IOException {
    byte[] bytes = new byte[length];
    memory.seek(address);
    for (int read = 0; read < length; ) {
      int more = memory.read(bytes, read, length - read);
      if (more < 0) {
        throw new EOFException();
      }
      read += more;
    }
    return bytes;
  }

  private ByteBuffer at(long address, int length) throws IOException {
    return ByteBuffer.wrap(bytes(address, length)).order(ByteOrder.nativeOrder());
  }

  private long number(long address) throws IOException {
    return at(address, 8).getLong();
  }

  /** Looks the symbol up in the dynamic symbols, whose number the table of hashes has. */
  private long symbol(long base) throws IOException {
    ByteBuffer header = at(base, 64);
    long programs = base + header.getLong(32);
    Map<Long, Long> dynamic = new LinkedHashMap<>();
    for (int i = 0; i < header.getShort(56); i++) {
      ByteBuffer program = at(programs + 56L * i, 56);
      if (program.getInt(0) == 2) {
        long entry = base + program.getLong(16);
        for (; number(entry) != 0; entry += 16) {
          dynamic.put(number(entry), number(entry + 8));
        }
      }
    }
    long hashes = absolute(base, dynamic.get(4L));
    long names = absolute(base, dynamic.get(5L));
    long symbols = absolute(base, dynamic.get(6L));
    int count = at(hashes, 8).getInt(4);
    for (int i = 0; i < count; i++) {
      ByteBuffer symbol = at(symbols + 24L * i, 24);
      if (new String(bytes(names + symbol.getInt(0), SYMBOL.length() + 1), UTF_8)
          .equals(SYMBOL + "\0")) {
        return base + symbol.getLong(8);
      }
    }
    throw new IllegalStateException("the library does not have the symbol " + SYMBOL);
  }

  /** The dynamic linker of glibc has replaced offsets in the file by addresses. */
  private static long absolute(long base, long address) {
    return address < base ? base + address : address;
  }

  /**
   * Returns the lines of the text and the counters, or null if the process has no status yet, or
   * was replacing it.
   */
  public Map<String, String> tryRead() {
    try {
      long block = number(pointer);
      return block == 0 ? null : read(block);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, String> read(long block) throws IOException {
    long sequence = number(block + 8);
    ByteBuffer header = at(block, 24);
    if (header.getInt(0) != 1 || block % 8 != 0 || header.getInt(4) > 65_536) {
      throw new AssertionError("not a block of version 1");
    }
    int count = header.getInt(16);
    int length = header.getInt(20);
    boolean fits = 24 + 8L * count + length <= header.getInt(4);
    ByteBuffer counters = fits ? at(block + 24, 8 * count) : null;
    byte[] text = fits ? bytes(block + 24 + 8L * count, length) : null;
    if (sequence % 2 != 0 || number(block + 8) != sequence) {
      return null;
    }
    return parse(new String(text, UTF_8), counters);
  }

  private static Map<String, String> parse(String text, ByteBuffer counters) {
    Map<String, String> entries = new LinkedHashMap<>();
    if (!text.endsWith("\n")) {
      throw new AssertionError("cut in the middle: " + text);
    }
    for (String line : text.split("\n")) {
      int end = line.indexOf('=');
      String twice = entries.put(line.substring(0, end), line.substring(end + 1));
      if (twice != null) {
        throw new AssertionError("twice: " + line);
      }
    }
    for (String name : entries.get("counters").split(",")) {
      entries.put(name, Long.toString(counters.getLong()));
    }
    if (counters.hasRemaining()) {
      throw new AssertionError("counters without a name");
    }
    return entries;
  }

  @Override
  public void close() {
    try {
      memory.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
