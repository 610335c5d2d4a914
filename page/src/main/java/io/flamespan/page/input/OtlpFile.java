/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.input;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Recognizes the format of a file by its first bytes, and reads the file. */
public final class OtlpFile {
  static final String NOT_READ = "not read";
  static final String CUT = "cut off";

  /** The larger of the field tags with which a message without a length can begin. */
  static final int LAST_TAG = 0x12;

  private static final int BUFFER = 1 << 16;
  static final int LONGEST_SPACE = 64;

  private OtlpFile() {}

  public static void read(Path file, Messages messages, Problems problems) {
    read(file, messages, problems, count -> {});
  }

  /** The same, and passes on how many further bytes of the file were read. */
  public static void read(Path file, Messages messages, Problems problems, LongConsumer bytesRead) {
    try (InputStream raw = Files.newInputStream(file);
        PushbackInputStream bytes = decompressed(new Counted(raw, bytesRead))) {
      int first = first(bytes);
      if (first < 0) {
        problems.add(NOT_READ, file + " is empty");
      } else if (first == '{') {
        new JsonLines(file.toString(), messages, problems).read(bytes);
      } else if (first <= LAST_TAG) {
        new ProtobufMessages(file.toString(), messages, problems).read(bytes, first);
      } else {
        problems.add(NOT_READ, file + " " + foreign(first));
      }
    } catch (EOFException | ZipException e) {
      problems.add(CUT, file + " ends within compressed data; everything before was read");
    } catch (IOException e) {
      problems.add(NOT_READ, FileErrors.line(e));
    }
  }

  private static final class Counted extends FilterInputStream {
    private final LongConsumer counts;

    Counted(InputStream bytes, LongConsumer counts) {
      super(bytes);
      this.counts = counts;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      int count = super.read(to, from, length);
      counts.accept(Math.max(0, count));
      return count;
    }
  }

  private static String foreign(int first) {
    if (first == 0x28) {
      return "is compressed with zstd; decompress it, or remove `compression` from the exporter";
    }
    return String.format(
        "begins with byte 0x%02x, as neither OTLP JSON nor OTLP protobuf does; name only files that"
            + " the collector's file exporter has written",
        first);
  }

  /**
   * Reads no further than it has to after decompression: at a cut, that would lose what was read
   * before.
   */
  static PushbackInputStream decompressed(InputStream file) throws IOException {
    InputStream buffered = new BufferedInputStream(file, BUFFER);
    buffered.mark(2);
    boolean gzip = buffered.read() == 0x1f && buffered.read() == 0x8b;
    buffered.reset();
    return new PushbackInputStream(
        gzip ? new GZIPInputStream(buffered, BUFFER) : buffered, LONGEST_SPACE + 2);
  }

  /** The first byte, behind the mark and the blank lines that may precede JSON. */
  static int first(PushbackInputStream bytes) throws IOException {
    int first = bytes.read();
    if (first == 0xef) {
      byte[] mark = bytes.readNBytes(2);
      if (Arrays.equals(mark, new byte[] {(byte) 0xbb, (byte) 0xbf})) {
        first = bytes.read();
      } else {
        bytes.unread(mark);
      }
    }
    if (first == ' ' || first == '\t' || first == '\r' || first == '\n') {
      first = afterSpace(bytes, first);
    }
    if (first >= 0) {
      bytes.unread(first);
    }
    return first;
  }

  /** A line end is also the first tag of a message in protobuf, which JSON does not follow. */
  private static int afterSpace(PushbackInputStream bytes, int first) throws IOException {
    byte[] ahead = new byte[LONGEST_SPACE];
    int read = 0;
    int next = bytes.read();
    while (next >= 0 && read < ahead.length && Character.isWhitespace(next)) {
      ahead[read++] = (byte) next;
      next = bytes.read();
    }
    if (next == '{') {
      return next;
    }
    if (next >= 0) {
      bytes.unread(next);
    }
    bytes.unread(ahead, 0, read);
    return first;
  }
}
