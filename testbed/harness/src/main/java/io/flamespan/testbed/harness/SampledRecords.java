/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The samples in which the profiler read a trace from both records of a thread: the record of
 * Elastic's protocol and the OpenTelemetry thread context.
 */
final class SampledRecords {

  /** The ids of one sample in hexadecimal; the last two are from the thread context. */
  static final class Sample {
    final String traceId;
    final String localRootSpanId;
    final String contextTraceId;
    final String spanId;

    private Sample(String record, String context) {
      traceId = digits(record, TRACE_ID, TRACE_ID_DIGITS);
      localRootSpanId = digits(record, LOCAL_ROOT_SPAN_ID, SPAN_ID_DIGITS);
      contextTraceId = digits(context, 0, TRACE_ID_DIGITS);
      spanId = digits(context, CONTEXT_SPAN_ID, SPAN_ID_DIGITS);
    }
  }

  private static final String NONE = "-";
  // Offsets in hexadecimal digits, so twice the byte offsets.
  private static final int PRESENT = 6;
  private static final int TRACE_ID = 10;
  private static final int LOCAL_ROOT_SPAN_ID = 58;
  private static final int CONTEXT_SPAN_ID = 32;
  private static final int CONTEXT_VALID = 48;
  private static final int TRACE_ID_DIGITS = 32;
  private static final int SPAN_ID_DIGITS = 16;

  private SampledRecords() {}

  /** Reads a file that the profiler's option {@code --records} wrote. */
  static List<Sample> read(Path file) throws IOException {
    List<Sample> samples = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String record = line.split(" ")[1];
      String context = line.split(" ")[2];
      if (!record.equals(NONE)
          && !context.equals(NONE)
          && record.startsWith("01", PRESENT)
          && context.startsWith("01", CONTEXT_VALID)) {
        samples.add(new Sample(record, context));
      }
    }
    return samples;
  }

  private static String digits(String hex, int from, int length) {
    return hex.substring(from, from + length);
  }
}
