/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.input;

import io.otelprofiling.page.Problems;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Recognizes the format of a file by its first bytes, and reads the file. */
public final class OtlpFile {
  static final String NOT_READ = "not read";
  static final String CUT = "cut off";

  /** The larger of the field tags with which a message without a length can begin. */
  private static final int LAST_TAG = 0x12;

  private static final int BUFFER = 1 << 16;

  private OtlpFile() {}

  public static void read(Path file, Messages messages, Problems problems) {
    try (PushbackInputStream bytes = decompressed(Files.newInputStream(file))) {
      int first = peek(bytes);
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
  private static PushbackInputStream decompressed(InputStream file) throws IOException {
    InputStream buffered = new BufferedInputStream(file, BUFFER);
    buffered.mark(2);
    boolean gzip = buffered.read() == 0x1f && buffered.read() == 0x8b;
    buffered.reset();
    return new PushbackInputStream(gzip ? new GZIPInputStream(buffered, BUFFER) : buffered);
  }

  private static int peek(PushbackInputStream bytes) throws IOException {
    int first = bytes.read();
    if (first >= 0) {
      bytes.unread(first);
    }
    return first;
  }
}
