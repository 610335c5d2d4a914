/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.otelprofiling.page.clickhouse;

import io.otelprofiling.page.results.TimeBins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** CPU time over time, separately for the endpoints with the most CPU time. */
final class CpuOverTime {
  private static final int ENDPOINTS = 10;

  private record Point(boolean linked, long endpoint, int bin, long cpuNanos) {}

  private final List<Long> keys;
  private final List<Point> points = new ArrayList<>();
  private TimeBins bins = TimeBins.between(1, 0, 1);
  private long outsideNanos;

  CpuOverTime(Query query, List<Figures> endpoints, int mostBins) {
    keys = endpoints.stream().limit(ENDPOINTS).map(Figures::key).toList();
    query.run(
        "page-over-time.sql",
        Map.of("endpoints", Query.keys(keys), "most", mostBins),
        row -> {
          long cpuNanos = row.getLong("cpuNanos");
          if (row.getLong("isNear") == 0) {
            outsideNanos += cpuNanos;
            return;
          }
          bins = TimeBins.between(row.getLong("first"), row.getLong("last"), mostBins);
          points.add(
              new Point(
                  row.getLong("isLinked") != 0,
                  row.getLong("endpoint"),
                  row.getInteger("bin"),
                  cpuNanos));
        });
  }

  TimeBins bins() {
    return bins;
  }

  long outsideNanos() {
    return outsideNanos;
  }

  /** As {@link io.otelprofiling.page.results.Results#overTime}. */
  long[][] rows(int endpoints) {
    long[][] nanos = new long[endpoints + 2][bins.count()];
    for (Point point : points) {
      int place = keys.indexOf(point.endpoint);
      int row = place >= 0 && place < endpoints ? place : endpoints;
      nanos[point.linked ? row : endpoints + 1][point.bin] += point.cpuNanos;
    }
    return nanos;
  }
}
