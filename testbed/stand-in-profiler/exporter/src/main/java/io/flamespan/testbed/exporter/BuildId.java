/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.exporter;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;

/** Reads the GNU build id from the notes of a 64-bit ELF file. The file is not trusted. */
final class BuildId {
  private static final int MAGIC = 0x464c457f;
  private static final int FILE_HEADER_SIZE = 64;
  private static final int PROGRAM_HEADER_SIZE = 56;
  private static final int PT_NOTE = 4;
  private static final int NT_GNU_BUILD_ID = 3;
  private static final int NOTES_SIZE_LIMIT = 1 << 16;
  private static final byte[] OWNER = "GNU\0".getBytes(StandardCharsets.US_ASCII);

  private BuildId() {}

  /** Returns the build id in hex, or an empty text if the file has none. */
  static String read(Path path) throws IOException {
    try (FileChannel file = FileChannel.open(path)) {
      ByteBuffer header = read(file, 0, FILE_HEADER_SIZE);
      boolean is64Bit = header.get(4) == 2;
      if (header.getInt(0) != MAGIC || !is64Bit || header.getShort(54) != PROGRAM_HEADER_SIZE) {
        return "";
      }
      int count = Short.toUnsignedInt(header.getShort(56));
      ByteBuffer segments = read(file, header.getLong(32), count * PROGRAM_HEADER_SIZE);
      String found = "";
      for (int at = 0; found.isEmpty() && at < segments.limit(); at += PROGRAM_HEADER_SIZE) {
        long size = segments.getLong(at + 32);
        if (segments.getInt(at) == PT_NOTE && size >= 0 && size <= NOTES_SIZE_LIMIT) {
          ByteBuffer notes = read(file, segments.getLong(at + 8), (int) size);
          found = find(notes, segments.getLong(at + 48) == 8 ? 8 : 4);
        }
      }
      return found;
    }
  }

  private static ByteBuffer read(FileChannel file, long offset, int size) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (offset < 0 || file.read(bytes, offset + bytes.position()) < 0) {
        throw new EOFException("the file ends before offset " + offset);
      }
    }
    return bytes.flip();
  }

  /** A note has the sizes of owner and content, its type, and both with padding. */
  private static String find(ByteBuffer notes, int alignment) {
    while (notes.remaining() >= 3 * Integer.BYTES) {
      long ownerSize = Integer.toUnsignedLong(notes.getInt());
      long idSize = Integer.toUnsignedLong(notes.getInt());
      int type = notes.getInt();
      int owner = notes.position();
      long id = owner + aligned(ownerSize, alignment);
      if (id + idSize > notes.limit()) {
        return "";
      }
      if (type == NT_GNU_BUILD_ID
          && ByteBuffer.wrap(OWNER).equals(notes.slice(owner, (int) ownerSize))) {
        byte[] content = new byte[(int) idSize];
        notes.get((int) id, content);
        return HexFormat.of().formatHex(content);
      }
      notes.position((int) Math.min(notes.limit(), id + aligned(idSize, alignment)));
    }
    return "";
  }

  private static long aligned(long size, int alignment) {
    return (size + alignment - 1) / alignment * alignment;
  }
}
