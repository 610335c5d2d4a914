/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The hours of which sums lack rows. */
public final class HoursNotSummed {
  private HoursNotSummed() {}

  /** Notes about them, and about sums that begin later than the range. */
  public static List<String> notes(Engine engine, TimeRange range) {
    List<String> notes = new ArrayList<>();
    engine.queryOfSums(
        "page-hours-not-summed.sql",
        Map.of("from", range.fromParameter(), "to", range.toParameter()),
        row -> {
          String begin = row.getString("begin");
          if (!begin.isEmpty()) {
            notes.add("sums begin at " + begin);
          }
          List<String> hours = row.getList("hours");
          if (!hours.isEmpty()) {
            notes.add(
                "hours with rows that are not summed yet: "
                    + row.getLong("count")
                    + ", of which "
                    + row.getLong("absent")
                    + " are absent, the last ones "
                    + String.join(", ", hours)
                    + "; flamespan_v1_hours has them all");
          }
        });
    return notes;
  }
}
