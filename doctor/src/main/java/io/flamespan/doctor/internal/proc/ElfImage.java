/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.doctor.internal.proc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A 64-bit ELF file as the dynamic linker has mapped it, with the requested dynamic symbols and TLS
 * descriptors. Its memory is not trusted. Immutable.
 */
public final class ElfImage {
  /**
   * The TLS descriptor of a thread-local pointer: two words, of which the second is its distance
   * from the thread pointer if it is in static TLS, as the public profiler assumes. Immutable.
   */
  public static final class TlsVariable {
    /** Libraries are never mapped below this address, so smaller numbers are distances. */
    private static final long DISTANCE_LIMIT = 1L << 32;

    /** Whether the dynamic linker has written it. */
    public final boolean isResolved;

    public final boolean isStatic;
    private final long distance;

    /**
     * @throws IOException if it cannot be read
     */
    public TlsVariable(ProcessMemory memory, long descriptor, boolean isArm) throws IOException {
      ByteBuffer words = memory.read(descriptor, 2 * Long.BYTES);
      isResolved = words.getLong(0) != 0;
      distance = words.getLong(Long.BYTES);
      isStatic = Math.abs(distance) < DISTANCE_LIMIT && Long.signum(distance) == (isArm ? 1 : -1);
    }

    /** Returns the value of a variable in static TLS in a thread. */
    public long value(ProcessMemory memory, long threadPointer) throws IOException {
      return memory.word(threadPointer + distance);
    }

    @Override
    public String toString() {
      return isStatic ? "static TLS, offset " + distance : "dynamic TLS";
    }
  }

  private static final int X86_64 = 62;
  private static final int ARM64 = 183;
  private static final int DESCRIPTOR_X64 = 36;
  private static final int DESCRIPTOR_ARM64 = 1031;

  private static final long SEGMENT_LOAD = 1;
  private static final long SEGMENT_DYNAMIC = 2;
  private static final long EXECUTABLE = 1L << 32;
  private static final int SEGMENT_SIZE = 56;
  private static final int ENTRY_SIZE = 24; // of symbols and relocations
  private static final int MAX_READ = 64 << 20;
  private static final int MAX_NAME = 100;

  // The entries of the dynamic section.
  private static final long PLT_SIZE = 2;
  private static final long HASH = 4;
  private static final long STRINGS = 5;
  private static final long SYMBOLS = 6;
  private static final long RELOCATIONS = 7;
  private static final long RELOCATIONS_SIZE = 8;
  private static final long STRINGS_SIZE = 10;
  private static final long PLT_RELOCATIONS = 23;
  private static final long GNU_HASH = 0x6ffffef5;
  private static final long VERSIONS = 0x6ffffff0;

  private final ProcessMemory memory;
  private final long lowest;
  private final long bias;
  private final Map<Long, Long> dynamic = new HashMap<>();
  private final Map<String, Long> symbols = new HashMap<>();
  private final Map<String, Long> sizes = new HashMap<>();
  private final Map<String, Long> descriptors = new HashMap<>();
  private int read;

  /**
   * @param start where the beginning of the file is mapped
   * @param base where it would be mapped if it were mapped as a whole with its code
   * @param names the symbols to read
   * @throws IOException if it is no such file, or its memory cannot be read
   */
  public ElfImage(ProcessMemory memory, long start, long base, String... names) throws IOException {
    this.memory = memory;
    try {
      ByteBuffer header = at(start, 64);
      boolean isArm = header.getShort(18) == ARM64;
      if (header.getInt(0) != Integer.reverseBytes(0x7f454c46)
          || header.get(4) != 2
          || !(isArm || header.getShort(18) == X86_64)) {
        throw new IOException("not a 64-bit ELF file for x86-64 or arm64");
      }
      int size = SEGMENT_SIZE * (header.getShort(56) & 0xffff);
      ByteBuffer segments = at(start + header.getLong(32), size);
      int code = segment(segments, SEGMENT_LOAD | EXECUTABLE);
      bias = base + segments.getLong(code + 8) - segments.getLong(code + 16);
      lowest = bias + segments.getLong(segment(segments, SEGMENT_LOAD) + 16);
      int section = segment(segments, SEGMENT_DYNAMIC);
      ByteBuffer entries =
          at(bias + segments.getLong(section + 16), segments.getLong(section + 40));
      for (int entry = 0; entries.getLong(entry) != 0; entry += 16) {
        dynamic.put(entries.getLong(entry), entries.getLong(entry + 8));
      }
      if (number(SYMBOLS) == 0 || number(STRINGS) == 0) {
        throw new IOException("it is mapped, but the dynamic linker has not loaded it");
      }
      readTables(isArm ? DESCRIPTOR_ARM64 : DESCRIPTOR_X64, names);
    } catch (RuntimeException e) {
      throw new IOException("its tables contain invalid offsets", e);
    }
  }

  /** Returns the address of a dynamic symbol in the process, or null if it is not defined. */
  public @Nullable Long symbol(String name) {
    return symbols.get(name);
  }

  /** Returns whether the file defines a variable of this name that has the size of a pointer. */
  public boolean hasPointer(String name) {
    return sizes.getOrDefault(name, 0L) == Long.BYTES;
  }

  /** Returns where code finds the TLS descriptor of a variable, or null if it has none. */
  public @Nullable Long descriptor(String name) {
    return descriptors.get(name);
  }

  private static int segment(ByteBuffer segments, long type) {
    int at = 0;
    while ((segments.getLong(at) & (type | 0xffffffffL)) != type) {
      at += SEGMENT_SIZE;
    }
    return at;
  }

  private void readTables(int descriptorType, String... wanted) throws IOException {
    // No entry has the number of symbols. Linkers put one of these tables behind them.
    long from = address(SYMBOLS);
    long end =
        LongStream.of(STRINGS, RELOCATIONS, PLT_RELOCATIONS, VERSIONS, HASH, GNU_HASH)
            .map(this::address)
            .filter(address -> address > from)
            .min()
            .orElseThrow(() -> new IOException("the end of its symbols is unknown"));
    ByteBuffer table = at(from, end - from);
    ByteBuffer names = at(address(STRINGS), number(STRINGS_SIZE));
    for (int at = 0; at + ENTRY_SIZE <= table.limit(); at += ENTRY_SIZE) {
      String name = name(names, table.getInt(at) & Integer.MAX_VALUE);
      if (table.getShort(at + 6) != 0 && Arrays.asList(wanted).contains(name)) {
        symbols.putIfAbsent(name, bias + table.getLong(at + 8));
        sizes.putIfAbsent(name, table.getLong(at + 16));
      }
    }
    ByteBuffer[] relocations = {
      at(address(RELOCATIONS), number(RELOCATIONS_SIZE)),
      at(address(PLT_RELOCATIONS), number(PLT_SIZE))
    };
    for (ByteBuffer entries : relocations) {
      for (int at = 0; at + ENTRY_SIZE <= entries.limit(); at += ENTRY_SIZE) {
        int symbol = entries.getInt(at + 12) * ENTRY_SIZE;
        if (entries.getInt(at + 8) == descriptorType) {
          descriptors.putIfAbsent(name(names, table.getInt(symbol)), bias + entries.getLong(at));
        }
      }
    }
  }

  private long number(long entry) {
    return dynamic.getOrDefault(entry, 0L);
  }

  /** Returns an address. glibc writes it into the entry, musl leaves the distance there. */
  private long address(long entry) {
    return number(entry) < lowest ? bias + number(entry) : number(entry);
  }

  /** Returns the name of a symbol, or the beginning of one that is too long to be asked for. */
  private static String name(ByteBuffer names, int at) {
    StringBuilder name = new StringBuilder();
    for (int i = at; i < names.limit() && names.get(i) != 0 && name.length() < MAX_NAME; i++) {
      name.append((char) names.get(i));
    }
    return name.toString();
  }

  private ByteBuffer at(long address, long length) throws IOException {
    if (length < 0 || length > MAX_READ - read) {
      throw new IOException("it has an invalid table of " + length + " bytes");
    }
    read += (int) length;
    return length == 0
        ? ByteBuffer.allocate(0)
        : memory.read(address, (int) length).order(ByteOrder.LITTLE_ENDIAN);
  }
}
