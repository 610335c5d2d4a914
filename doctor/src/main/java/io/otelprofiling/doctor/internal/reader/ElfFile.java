/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.doctor.internal.reader;

import io.otelprofiling.doctor.internal.proc.Mapping;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A 64-bit ELF file, with its dynamic symbols and the relocations that name them. */
public final class ElfFile implements Closeable {
  private static final int X86_64 = 62;
  private static final int ARM64 = 183;

  private static final int SECTION_RELA = 4;
  private static final int SECTION_DYNSYM = 11;
  private static final int SEGMENT_LOAD = 1;
  private static final int SYMBOL_SIZE = 24;
  private static final int RELOCATION_SIZE = 24;
  private static final long MAX_READ = 256 << 20;

  /** A defined dynamic symbol. */
  public static final class Symbol {
    public final long value;
    public final long size;
    public final boolean isThreadLocal;

    Symbol(ByteBuffer table, int at) {
      value = table.getLong(at + 8);
      size = table.getLong(at + 16);
      isThreadLocal = (table.get(at + 4) & 0xf) == 6;
    }
  }

  /** The relocation by which the code of a library finds its thread-local variable. */
  public static final class Relocation {
    public final TlsVariable.Kind kind;
    public final long address;

    Relocation(TlsVariable.Kind kind, long address) {
      this.kind = kind;
      this.address = address;
    }
  }

  private final RandomAccessFile file;
  private final ByteBuffer header;
  private final ByteBuffer sections;
  private final int sectionSize;
  private final boolean isArm;
  private long read;

  public ElfFile(Path path) throws IOException {
    file = new RandomAccessFile(path.toFile(), "r");
    try {
      header = at(0, 64);
      isArm = header.getShort(18) == ARM64;
      if (header.getInt(0) != Integer.reverseBytes(0x7f454c46)
          || header.get(4) != 2
          || !(isArm || header.getShort(18) == X86_64)) {
        throw new IOException("not a 64-bit ELF file for x86-64 or arm64");
      }
      sectionSize = header.getShort(58);
      sections = at(header.getLong(40), sectionSize * (header.getShort(60) & 0xffff));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Converts the exception of an offset that leads out of its table: files are not trusted. */
  private static IOException broken(RuntimeException e) {
    return new IOException("its tables contain invalid offsets", e);
  }

  /** Returns the symbol, or null if the file does not define it. */
  public @Nullable Symbol symbol(String name) throws IOException {
    try {
      return findSymbol(name);
    } catch (RuntimeException e) {
      throw broken(e);
    }
  }

  private @Nullable Symbol findSymbol(String name) throws IOException {
    for (int section = 0; section < sections.limit(); section += sectionSize) {
      if (sections.getInt(section + 4) == SECTION_DYNSYM) {
        ByteBuffer symbols = content(section);
        ByteBuffer names = content(linked(section));
        for (int at = 0; at + SYMBOL_SIZE <= symbols.limit(); at += SYMBOL_SIZE) {
          if (symbols.getShort(at + 6) != 0 && isAt(names, symbols.getInt(at), name)) {
            return new Symbol(symbols, at);
          }
        }
      }
    }
    return null;
  }

  /** Returns the relocation of a thread-local variable, or null if it does not have one. */
  public @Nullable Relocation relocation(String name) throws IOException {
    try {
      return findRelocation(name);
    } catch (RuntimeException e) {
      throw broken(e);
    }
  }

  private @Nullable Relocation findRelocation(String name) throws IOException {
    for (int section = 0; section < sections.limit(); section += sectionSize) {
      int symbolSection = linked(section);
      if (sections.getInt(section + 4) != SECTION_RELA
          || sections.getInt(symbolSection + 4) != SECTION_DYNSYM) {
        continue;
      }
      ByteBuffer relocations = content(section);
      ByteBuffer symbols = content(symbolSection);
      ByteBuffer names = content(linked(symbolSection));
      for (int at = 0; at + RELOCATION_SIZE <= relocations.limit(); at += RELOCATION_SIZE) {
        TlsVariable.Kind kind = TlsVariable.Kind.of(relocations.getInt(at + 8), isArm);
        int symbol = relocations.getInt(at + 12) * SYMBOL_SIZE;
        if (kind != null && isAt(names, symbols.getInt(symbol), name)) {
          return new Relocation(kind, relocations.getLong(at));
        }
      }
    }
    return null;
  }

  /** Returns the bytes of a constant, or null if the file does not have it. */
  public @Nullable ByteBuffer constant(String name) throws IOException {
    try {
      return findConstant(name);
    } catch (RuntimeException e) {
      throw broken(e);
    }
  }

  private @Nullable ByteBuffer findConstant(String name) throws IOException {
    Symbol symbol = symbol(name);
    for (int segment = 0; symbol != null && segment < programHeaders().limit(); segment += 56) {
      ByteBuffer headers = programHeaders();
      long inSegment = symbol.value - headers.getLong(segment + 16);
      if (headers.getInt(segment) == SEGMENT_LOAD
          && inSegment >= 0
          && inSegment < headers.getLong(segment + 32)) {
        return at(headers.getLong(segment + 8) + inSegment, (int) symbol.size);
      }
    }
    return null;
  }

  /** Returns the difference between an address in the process and the same address in the file. */
  public long loadBias(Mapping code) throws IOException {
    try {
      return findLoadBias(code);
    } catch (RuntimeException e) {
      throw broken(e);
    }
  }

  private long findLoadBias(Mapping code) throws IOException {
    ByteBuffer headers = programHeaders();
    for (int segment = 0; segment < headers.limit(); segment += 56) {
      long offset = headers.getLong(segment + 8);
      if (headers.getInt(segment) == SEGMENT_LOAD
          && (headers.getInt(segment + 4) & 1) != 0
          && offset + headers.getLong(segment + 32) > code.fileOffset
          && offset < code.fileOffset + code.end - code.start) {
        return code.start - code.fileOffset + offset - headers.getLong(segment + 16);
      }
    }
    throw new IOException("its code is not mapped as its program headers specify");
  }

  private ByteBuffer programHeaders() throws IOException {
    return at(header.getLong(32), header.getShort(54) * (header.getShort(56) & 0xffff));
  }

  private int linked(int section) {
    return sections.getInt(section + 40) * sectionSize;
  }

  private ByteBuffer content(int section) throws IOException {
    return at(sections.getLong(section + 24), (int) sections.getLong(section + 32));
  }

  private static boolean isAt(ByteBuffer names, int at, String name) {
    byte[] expected = name.getBytes(StandardCharsets.US_ASCII);
    if (at <= 0 || at + expected.length >= names.limit() || names.get(at + expected.length) != 0) {
      return false;
    }
    for (int i = 0; i < expected.length; i++) {
      if (names.get(at + i) != expected[i]) {
        return false;
      }
    }
    return true;
  }

  private ByteBuffer at(long offset, int length) throws IOException {
    read += length;
    if (offset < 0 || length < 0 || length > file.length() - offset || read > MAX_READ) {
      throw new IOException("it has an invalid table of " + length + " bytes");
    }
    byte[] bytes = new byte[length];
    file.seek(offset);
    file.readFully(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
