/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The examples' stand-in profiler, which starts a test's process, and the results that it reports.
 */
public final class StandIn {
  private static final String NONE = "-";

  private final Path summary;
  private final Path records;

  /** Creates a stand-in that writes its output to files in that directory. */
  public StandIn(Path directory) {
    summary = directory.resolve("summary");
    records = directory.resolve("records");
  }

  /** Returns the words to put before the command of the process. Blanks separate options. */
  public String[] command(String options) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("test.stand-in"));
    command.addAll(List.of(options.split(" ")));
    // It samples every 20 ms, occasionally between the mapping and the publication of the pointer.
    command.add("--retry-null");
    command.addAll(List.of("--summary", summary.toString()));
    command.addAll(List.of("--records", records.toString()));
    command.add("--");
    return command.toArray(new String[0]);
  }

  /** Returns a text from the summary. */
  public String summaryText(String field) throws IOException {
    String json = Files.readString(summary);
    Matcher value = Pattern.compile("\"" + field + "\": *\"?([^\",}]*)").matcher(json);
    if (!value.find()) {
      throw new AssertionError("no " + field + " in " + json);
    }
    return value.group(1).trim();
  }

  /** Returns a counter from the summary. */
  public long summary(String field) throws IOException {
    return Long.parseLong(summaryText(field));
  }

  /** Returns all records of Elastic's protocol that showed a trace. */
  public List<DecodedRecord> records() throws IOException {
    return Files.readAllLines(records).stream()
        .map(line -> line.split(" ")[1])
        .filter(StandIn::showsTrace)
        .map(StandIn::decode)
        .toList();
  }

  /**
   * Returns how many samples showed a trace in both protocols. Asserts that each time both showed
   * the same trace, and spans of the same local root span.
   */
  public int relatedSamples() throws IOException {
    int related = 0;
    for (String line : Files.readAllLines(records)) {
      String record = line.split(" ")[1];
      String context = line.split(" ")[2];
      if (showsTrace(record) && !context.equals(NONE) && context.startsWith("01", 48)) {
        String traceId = context.substring(0, 32);
        String spanId = context.substring(32, 48);
        if (!traceId.equals(decode(record).traceId())
            || !RelatedIds.belongTogether(traceId, spanId, decode(record).transactionId())) {
          throw new AssertionError(line);
        }
        related++;
      }
    }
    return related;
  }

  /**
   * Returns whether the record is valid and has a trace. Other records are only listed if they have
   * a context.
   */
  private static boolean showsTrace(String record) {
    return !record.equals(NONE) && !record.startsWith("00", 4) && !record.startsWith("00", 6);
  }

  private static DecodedRecord decode(String record) {
    return DecodedRecord.decode(ByteBuffer.wrap(HexFormat.of().parseHex(record)));
  }
}
