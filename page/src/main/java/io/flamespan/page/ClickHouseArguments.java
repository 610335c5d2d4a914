/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.clickhouse.Address;
import io.flamespan.page.clickhouse.Limits;
import io.flamespan.page.clickhouse.Tables;
import io.flamespan.page.clickhouse.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The arguments for ClickHouse, and what they mean at a time.
 *
 * @param sums whether the sums by hour are read in place of the tables
 */
record ClickHouseArguments(
    Map<String, String> options,
    Address address,
    TimeRange range,
    Optional<TimeRange> baseline,
    String service,
    Tables tables,
    boolean sums,
    Limits limits) {
  static final String SUMS = "--sums";

  /** With sums, longer ranges are read from these. */
  private static final Duration LONGEST_OF_ROWS = Duration.ofHours(2);

  private static final int MOST_SECONDS = 86_400;
  private static final int MOST_MEGABYTES = 10_000_000;

  /**
   * Parses the options and their values.
   *
   * @throws IllegalArgumentException with a line for the user
   */
  static ClickHouseArguments of(Map<String, String> options) {
    if (!options.containsKey("--clickhouse")) {
      throw new IllegalArgumentException(
          options.keySet().iterator().next() + " needs --clickhouse URL");
    }
    if (!options.containsKey("--from")) {
      throw new IllegalArgumentException("--clickhouse needs --from TIME, such as --from -1h");
    }
    if (options.containsKey("--baseline-from") != options.containsKey("--baseline-to")) {
      throw new IllegalArgumentException("--baseline-from and --baseline-to must be used together");
    }
    Instant now = Instant.now();
    TimeRange range =
        TimeRange.of(
            "--from", options.get("--from"), "--to", options.getOrDefault("--to", "-0s"), now);
    Optional<TimeRange> baseline =
        Optional.ofNullable(options.get("--baseline-from"))
            .map(
                from ->
                    TimeRange.of(
                        "--baseline-from",
                        from,
                        "--baseline-to",
                        options.getOrDefault("--baseline-to", ""),
                        now));
    boolean sums =
        options.containsKey(SUMS)
            && (isLong(range) || baseline.filter(ClickHouseArguments::isLong).isPresent());
    return new ClickHouseArguments(
        Map.copyOf(options),
        Address.of(options.get("--clickhouse"), System.getenv()),
        sums ? range.wholeHours() : range,
        sums ? baseline.map(TimeRange::wholeHours) : baseline,
        options.getOrDefault("--service", ""),
        Tables.of(
            options.getOrDefault("--traces-table", "otel_traces"),
            options.getOrDefault("--profiles-table", "otel_profiles")),
        sums,
        new Limits(
            (int)
                number("--time-limit", options.getOrDefault("--time-limit", "60"), 1, MOST_SECONDS),
            number(
                "--memory-limit", options.getOrDefault("--memory-limit", "0"), 0, MOST_MEGABYTES)));
  }

  private static boolean isLong(TimeRange range) {
    return Duration.between(range.from(), range.to()).compareTo(LONGEST_OF_ROWS) > 0;
  }

  /** The same with the present time. */
  ClickHouseArguments again() {
    return of(options);
  }

  /**
   * The same in another range.
   *
   * @throws IllegalArgumentException with a line for the user
   */
  ClickHouseArguments in(String from, String to) {
    Map<String, String> changed = new HashMap<>(options);
    changed.put("--from", from);
    changed.put("--to", to);
    return of(changed);
  }

  private static long number(String option, String text, int least, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // same message as for a number out of range
    }
    String unit = option.equals("--time-limit") ? "seconds" : "megabytes";
    throw new IllegalArgumentException(
        option + " is " + text + ": it has to be a number of " + unit + ", at most " + most);
  }
}
