/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import io.flamespan.page.results.Measure;
import io.flamespan.page.results.Spread;
import io.flamespan.page.results.Tally;
import java.util.List;
import java.util.stream.Stream;

/**
 * The figures of an endpoint.
 *
 * @param key identifies the endpoint in queries
 * @param spreads by measure
 */
record Figures(
    String name,
    String service,
    long key,
    long requests,
    double meanNanos,
    long p99Nanos,
    List<Spread> spreads,
    Tally tally) {

  /** The key of all endpoints that are not shown alone. */
  static final long OTHERS = 0;

  /** The sum of all of them, without the percentile, for which their requests would be needed. */
  static Figures of(String name, List<Figures> all) {
    Tally tally = new Tally();
    all.forEach(one -> tally.add(one.tally));
    long requests = all.stream().mapToLong(Figures::requests).sum();
    double nanos = all.stream().mapToDouble(one -> one.meanNanos * one.requests).sum();
    List<Spread> spreads = Stream.generate(Spread::new).limit(Measure.COUNT).toList();
    for (Figures one : all) {
      for (int i = 0; i < Measure.COUNT; i++) {
        spreads.get(i).add(one.spreads.get(i));
      }
    }
    return new Figures(name, "", OTHERS, requests, nanos / requests, -1, spreads, tally);
  }
}
