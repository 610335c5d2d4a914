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
  private static final int NO_LINK = -1;

  private record Point(int number, int bin, long cpuNanos) {}

  private final List<Point> points = new ArrayList<>();
  private TimeBins bins = TimeBins.between(1, 0, 1);

  CpuOverTime(Query query, List<Figures> endpoints, int mostBins) {
    Map<String, Object> parameters =
        Query.numbering(endpoints.subList(0, Math.min(ENDPOINTS, endpoints.size())));
    parameters.put("most", mostBins);
    query.run(
        "page-over-time.sql",
        parameters,
        row -> {
          bins = TimeBins.between(row.getLong("first"), row.getLong("last"), mostBins);
          points.add(
              new Point(row.getInteger("number"), row.getInteger("bin"), row.getLong("cpuNanos")));
        });
  }

  TimeBins bins() {
    return bins;
  }

  /** As {@link io.otelprofiling.page.results.Results#cpuOverTime}. */
  long[][] rows(int endpoints) {
    long[][] nanos = new long[endpoints + 2][bins.count()];
    for (Point point : points) {
      boolean alone = point.number > 0 && point.number <= endpoints;
      int others = point.number == NO_LINK ? endpoints + 1 : endpoints;
      nanos[alone ? point.number - 1 : others][point.bin] += point.cpuNanos;
    }
    return nanos;
  }
}
