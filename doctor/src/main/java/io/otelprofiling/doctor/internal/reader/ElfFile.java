/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import io.otelprofiling.doctor.internal.proc.Mapping;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A 64-bit ELF file that is mapped, with those of its dynamic symbols and TLS descriptors that were
 * asked for. Files are not trusted. Immutable.
 */
public final class ElfFile {
  private static final int X86_64 = 62;
  private static final int ARM64 = 183;
  private static final int DESCRIPTOR_X64 = 36;
  private static final int DESCRIPTOR_ARM64 = 1031;

  private static final int SECTION_RELA = 4;
  private static final int SECTION_DYNSYM = 11;
  private static final int SEGMENT_LOAD = 1;
  private static final int SEGMENT_SIZE = 56;
  private static final int ENTRY_SIZE = 24; // of symbols and relocations
  private static final long MAX_READ = 256 << 20;

  private final Map<String, Long> symbols = new HashMap<>();
  private final Set<String> pointers = new HashSet<>();
  private final Map<String, Long> descriptors = new HashMap<>();
  private final ByteBuffer sections;
  private final int sectionSize;
  private final int descriptorType;
  private long read;

  /**
   * @param code a mapping of code of this file
   * @param names the symbols to read
   * @throws IOException if it is no such file
   */
  public ElfFile(Path path, Mapping code, String... names) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      ByteBuffer header = at(file, 0, 64);
      boolean isArm = header.getShort(18) == ARM64;
      if (header.getInt(0) != Integer.reverseBytes(0x7f454c46)
          || header.get(4) != 2
          || !(isArm || header.getShort(18) == X86_64)) {
        throw new IOException("not a 64-bit ELF file for x86-64 or arm64");
      }
      descriptorType = isArm ? DESCRIPTOR_ARM64 : DESCRIPTOR_X64;
      sectionSize = header.getShort(58);
      sections = at(file, header.getLong(40), sectionSize * (header.getShort(60) & 0xffff));
      if (sections.limit() == 0) {
        throw new IOException("it has no table of sections");
      }
      int segments = header.getShort(54) * (header.getShort(56) & 0xffff);
      long bias = loadBias(at(file, header.getLong(32), segments), code);
      for (int section = 0; section < sections.limit(); section += sectionSize) {
        int type = type(section);
        if (type == SECTION_DYNSYM
            || (type == SECTION_RELA && type(linked(section)) == SECTION_DYNSYM)) {
          readEntries(file, section, bias, names);
        }
      }
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
    return pointers.contains(name);
  }

  /** Returns where code finds the TLS descriptor of a variable, or null if it has none. */
  public @Nullable Long descriptor(String name) {
    return descriptors.get(name);
  }

  /** Reads a table of symbols, or of relocations that name symbols. */
  private void readEntries(RandomAccessFile file, int section, long bias, String... wanted)
      throws IOException {
    boolean isSymbols = type(section) == SECTION_DYNSYM;
    int symbolSection = isSymbols ? section : linked(section);
    ByteBuffer table = content(file, section);
    ByteBuffer symbolTable = content(file, symbolSection);
    ByteBuffer names = content(file, linked(symbolSection));
    for (int at = 0; at + ENTRY_SIZE <= table.limit(); at += ENTRY_SIZE) {
      boolean counts =
          isSymbols ? table.getShort(at + 6) != 0 : table.getInt(at + 8) == descriptorType;
      int symbol = isSymbols ? at : table.getInt(at + 12) * ENTRY_SIZE;
      String name = counts ? name(names, symbolTable.getInt(symbol), wanted) : null;
      if (name != null && isSymbols) {
        symbols.putIfAbsent(name, bias + table.getLong(at + 8));
        if (table.getLong(at + 16) == Long.BYTES) {
          pointers.add(name);
        }
      } else if (name != null) {
        descriptors.putIfAbsent(name, bias + table.getLong(at));
      }
    }
  }

  /** Returns the difference between an address in the process and the same address in the file. */
  private static long loadBias(ByteBuffer segments, Mapping code) throws IOException {
    for (int segment = 0; segment < segments.limit(); segment += SEGMENT_SIZE) {
      long offset = segments.getLong(segment + 8);
      if (segments.getInt(segment) == SEGMENT_LOAD
          && (segments.getInt(segment + 4) & 1) != 0
          && offset + segments.getLong(segment + 32) > code.fileOffset
          && offset < code.fileOffset + code.end - code.start) {
        return code.start - code.fileOffset + offset - segments.getLong(segment + 16);
      }
    }
    throw new IOException("its code is not mapped as its program headers specify");
  }

  private int type(int section) {
    return sections.getInt(section + 4);
  }

  private int linked(int section) {
    return sections.getInt(section + 40) * sectionSize;
  }

  private ByteBuffer content(RandomAccessFile file, int section) throws IOException {
    return at(file, sections.getLong(section + 24), (int) sections.getLong(section + 32));
  }

  /** Returns the wanted name that is at this place, or null. */
  private static @Nullable String name(ByteBuffer names, int at, String... wanted) {
    for (String name : wanted) {
      int end = at + name.length();
      boolean isSame = at > 0 && end < names.limit() && names.get(end) == 0;
      for (int i = 0; isSame && i < name.length(); i++) {
        isSame = names.get(at + i) == name.charAt(i);
      }
      if (isSame) {
        return name;
      }
    }
    return null;
  }

  private ByteBuffer at(RandomAccessFile file, long offset, int length) throws IOException {
    read += length;
    if (offset < 0 || length < 0 || length > file.length() - offset || read > MAX_READ) {
      throw new IOException("it has an invalid table of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    file.seek(offset);
    file.readFully(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
