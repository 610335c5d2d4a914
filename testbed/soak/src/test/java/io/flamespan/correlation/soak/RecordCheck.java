/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak;

import io.flamespan.correlation.testing.DecodedRecord;
import io.flamespan.correlation.testing.RelatedIds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;

/** Looks for torn records among those that the profiler has read. */
final class RecordCheck {
  private static final int WORDS = 3;
  private static final int RECORD_DIGITS = 74;
  private static final int CONTEXT_DIGITS = 56;

  private long records;
  private long torn;

  void read(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      lines.forEach(this::read);
    }
  }

  /** A killed profiler may have left half a line. */
  private void read(String line) {
    String[] words = line.split(" ");
    if (words.length != WORDS || words[1].length() != RECORD_DIGITS || !showsTrace(words[1])) {
      return;
    }
    DecodedRecord record = DecodedRecord.decode(ByteBuffer.wrap(HexFormat.of().parseHex(words[1])));
    records++;
    if (!record.belongsTogether() || !isRelated(record, words[2])) {
      torn++;
      System.out.println("torn record: " + line);
    }
  }

  private static boolean showsTrace(String record) {
    return !record.startsWith("00", 4) && !record.startsWith("00", 6);
  }

  /** If both protocols show a trace, it must be the same. */
  private static boolean isRelated(DecodedRecord record, String context) {
    if (context.length() < CONTEXT_DIGITS || !context.startsWith("01", 48)) {
      return true;
    }
    String traceId = context.substring(0, 32);
    return traceId.equals(record.traceId())
        && RelatedIds.belongTogether(traceId, context.substring(32, 48), record.transactionId());
  }

  long records() {
    return records;
  }

  long torn() {
    return torn;
  }
}
