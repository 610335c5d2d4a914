/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Problems;

/**
 * Compares the samples of each local root span with the stack trace ids that it received in a
 * profiler's messages. Not every profiler sends messages, and messages get lost. So a difference is
 * reported and is not a failure.
 */
public final class StackTraceIds {
  private int compared;
  private int different;
  private String example = "";

  /**
   * Profilers send a message for each sample of CPU time; some send one for each wait as well. Of
   * the samples after the end of the span, those are in time that come before it is exported.
   */
  void compare(ReceivedSpan span, long samples, long waits, long after) {
    if (span.stackTraceIds() == ReceivedSpan.NO_STACK_TRACE_IDS) {
      return;
    }
    compared++;
    long late = span.stackTraceIds() - samples;
    if ((late < 0 || late > after) && (late < waits || late > waits + after)) {
      different++;
      if (example.isEmpty()) {
        example =
            "span "
                + span.key().spanId()
                + " of trace "
                + span.key().traceId()
                + " has "
                + span.stackTraceIds()
                + " ids and "
                + samples
                + " samples"
                + (waits == 0 ? "" : ", and " + waits + " of waits");
      }
    }
  }

  void report(Problems problems) {
    if (different > 0) {
      problems.add(
          "stack trace ids and Links differ",
          "for " + different + " of " + compared + " spans; " + example);
    }
  }

  /** The number of spans with stack trace ids. */
  public int compared() {
    return compared;
  }

  public int different() {
    return different;
  }
}
