/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.clickhouse.Address;
import io.flamespan.page.clickhouse.ClickHouseResults;
import io.flamespan.page.clickhouse.Engine;
import io.flamespan.page.clickhouse.Limits;
import io.flamespan.page.clickhouse.Tables;
import io.flamespan.page.clickhouse.TimeRange;
import io.flamespan.page.results.Results;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The arguments for ClickHouse, and what they mean at a time. */
record ClickHouseArguments(
    Map<String, String> options,
    Address address,
    TimeRange range,
    Optional<TimeRange> baseline,
    String service,
    Tables tables,
    Limits limits) {
  static final String SUMS = "--sums";

  /** With sums, longer ranges are read from these. */
  private static final Duration LONGEST_OF_ROWS = Duration.ofHours(2);

  private static final String TRACES_TABLE = "--traces-table";
  private static final String PROFILES_TABLE = "--profiles-table";
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
    boolean sums = options.containsKey(SUMS);
    if (sums && (options.containsKey(TRACES_TABLE) || options.containsKey(PROFILES_TABLE))) {
      throw new IllegalArgumentException(
          SUMS
              + " reads the tables that sql sums creates: leave it out, or "
              + TRACES_TABLE
              + " and "
              + PROFILES_TABLE);
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
    return new ClickHouseArguments(
        Map.copyOf(options),
        Address.of(options.get("--clickhouse"), System.getenv()),
        sums ? asSums(range) : range,
        sums ? baseline.map(ClickHouseArguments::asSums) : baseline,
        options.getOrDefault("--service", ""),
        Tables.of(
            options.getOrDefault(TRACES_TABLE, "otel_traces"),
            options.getOrDefault(PROFILES_TABLE, "otel_profiles")),
        new Limits(
            (int)
                number("--time-limit", options.getOrDefault("--time-limit", "60"), 1, MOST_SECONDS),
            number(
                "--memory-limit", options.getOrDefault("--memory-limit", "0"), 0, MOST_MEGABYTES)));
  }

  private static boolean isLong(TimeRange range) {
    return Duration.between(range.from(), range.to()).compareTo(LONGEST_OF_ROWS) > 0;
  }

  private static TimeRange asSums(TimeRange range) {
    return isLong(range) ? range.wholeHours() : range;
  }

  /** Whether the sums by hour are read in place of the tables. */
  boolean ofSums(TimeRange one) {
    return options.containsKey(SUMS) && isLong(one);
  }

  /** Reads the range or the baseline. */
  Results read(Engine engine, TimeRange one) {
    return new ClickHouseResults(engine, one, service, ofSums(one));
  }

  /** The same with the present time. */
  ClickHouseArguments again() {
    return of(options);
  }

  /**
   * The same in another range.
   *
   * @throws IllegalArgumentException with a line for the user, about the parameters from and to
   */
  ClickHouseArguments in(String from, String to) {
    TimeRange unused = TimeRange.of("from", from, "to", to, Instant.now());
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
