/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import com.clickhouse.client.api.data_formats.ClickHouseBinaryFormatReader;
import io.flamespan.page.results.Largest;
import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Tally;
import io.flamespan.page.results.TimeBins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The amounts of samples over time, by endpoint. */
final class OverTime {
  private static final int SECONDS_OF_AN_HOUR = 3_600;

  private record Point(boolean linked, long endpoint, int bin, Tally tally) {}

  private final List<Point> points = new ArrayList<>();
  private final Tally outside = new Tally();
  private TimeBins bins = TimeBins.between(1, 0, 1);

  OverTime(Query query, List<Figures> endpoints, int mostBins) {
    List<Long> keys =
        Largest.of(endpoints, Largest.OF_A_PAGE, Figures::tally).stream()
            .map(Figures::key)
            .toList();
    query.run(
        "page-over-time.sql",
        Map.of(
            "endpoints",
            Query.keys(keys),
            "most",
            mostBins,
            "narrowest",
            query.isOfSums() ? SECONDS_OF_AN_HOUR : 1),
        row -> {
          long first = row.getLong("first");
          if (first > 0) { // else there is no CPU time
            long width = row.getLong("width");
            bins = new TimeBins(first, width, (int) ((row.getLong("last") - first) / width) + 1);
          }
          long bin = row.getLong("bin");
          if (row.getLong("isNear") == 0 || bin < 0 || bin >= bins.count()) {
            outside.add(amounts(row));
            return;
          }
          boolean linked = row.getLong("isLinked") != 0;
          points.add(new Point(linked, row.getLong("endpoint"), (int) bin, amounts(row)));
        });
  }

  private static Tally amounts(ClickHouseBinaryFormatReader row) {
    Tally tally = new Tally();
    tally.add(Measure.CPU, 0, row.getLong("cpuNanos"));
    tally.add(Measure.WAIT, 0, row.getLong("waitNanos"));
    tally.add(Measure.ALLOC, 0, row.getLong("allocatedBytes"));
    tally.add(Measure.LOCK, 0, row.getLong("lockNanos"));
    return tally;
  }

  TimeBins bins() {
    return bins;
  }

  long outside(Measure measure) {
    return outside.amount(measure);
  }

  /** As {@link io.flamespan.page.results.Results#overTime}. */
  long[][] rows(Measure measure, List<Long> shown) {
    long[][] amounts = new long[shown.size() + 2][bins.count()];
    for (Point point : points) {
      int place = shown.indexOf(point.endpoint);
      int row = place >= 0 ? place : shown.size();
      amounts[point.linked ? row : shown.size() + 1][point.bin] += point.tally.amount(measure);
    }
    return amounts;
  }
}
