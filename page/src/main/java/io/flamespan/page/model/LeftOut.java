/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.model;

import io.flamespan.page.input.Problems;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is not known of samples, with their number and what to do about it. */
final class LeftOut {
  static final String NO_PERIOD =
      "samples without a period: their CPU time is unknown; let the profiler send period and"
          + " period_type (cpu, nanoseconds)";
  static final String NO_TIME =
      "samples without a time: they are in all sums, but not in the chart over time; let the"
          + " profiler send timestamps_unix_nano";
  static final String IMPOSSIBLE =
      "samples with a value that cannot be: negative, or more than a year; these values were left"
          + " out";
  static final String RENUMBERED =
      "samples of OTLP profiles before version 1.10 in binary form, whose fields had other numbers:"
          + " they were left out; use a later version of the sender, or JSON";
  static final String TWICE =
      "samples that another profile of the message measures as well: they count once, by their"
          + " time or size";
  static final String CUMULATIVE =
      "samples of allocation since the process began, beside samples of a heap: they were left out,"
          + " as each message has those before it again; send what was allocated in between";

  private static final class Uses {
    final String first;
    long samples;

    Uses(String first) {
      this.first = first;
    }
  }

  private final Map<String, Uses> all = new LinkedHashMap<>();

  void add(String what, long samples, String where) {
    all.computeIfAbsent(what, added -> new Uses(where)).samples += samples;
  }

  void addType(Dictionary dictionary, ReadProfile profile, String where) {
    if (profile.isCumulative) {
      return; // it is told already
    }
    String what =
        "samples of "
            + dictionary.string(profile.sampleType.type)
            + "/"
            + dictionary.string(profile.sampleType.unit)
            + ", which the page does not know: they are only counted; what it knows is in the"
            + " documents under Input";
    add(what, 1, where);
  }

  void report(Problems problems) {
    all.forEach(
        (what, uses) -> {
          int colon = what.indexOf(": ");
          problems.add(
              what.substring(0, colon),
              uses.samples + ", first in " + uses.first + "; " + what.substring(colon + 2));
        });
  }
}
