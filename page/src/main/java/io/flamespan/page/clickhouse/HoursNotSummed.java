/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The hours of which sums lack rows. */
public final class HoursNotSummed {
  private HoursNotSummed() {}

  /** A note about them, if there are any. */
  public static Optional<String> note(Engine engine, TimeRange range) {
    List<String> notes = new ArrayList<>();
    engine.queryOfSums(
        "page-hours-not-summed.sql",
        Map.of("from", range.fromParameter(), "to", range.toParameter()),
        row -> {
          List<String> hours = row.getList("hours");
          notes.add(
              "hours that are not summed yet: "
                  + row.getLong("count")
                  + ", with "
                  + row.getLong("profiles")
                  + " rows of profiles, the last ones "
                  + String.join(", ", hours)
                  + "; flamespan_hours has them all");
        });
    return notes.stream().findFirst();
  }
}
