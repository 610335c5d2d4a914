/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.clickhouse.Address;
import io.flamespan.page.clickhouse.Tables;
import io.flamespan.page.clickhouse.TimeRange;
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
    int timeLimitSeconds) {
  private static final int MOST_SECONDS = 86_400;

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
    return new ClickHouseArguments(
        Map.copyOf(options),
        Address.of(options.get("--clickhouse"), System.getenv()),
        TimeRange.of(
            "--from", options.get("--from"), "--to", options.getOrDefault("--to", "-0s"), now),
        Optional.ofNullable(options.get("--baseline-from"))
            .map(
                from ->
                    TimeRange.of(
                        "--baseline-from",
                        from,
                        "--baseline-to",
                        options.getOrDefault("--baseline-to", ""),
                        now)),
        options.getOrDefault("--service", ""),
        Tables.of(
            options.getOrDefault("--traces-table", "otel_traces"),
            options.getOrDefault("--profiles-table", "otel_profiles")),
        seconds(options.getOrDefault("--time-limit", "60")));
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

  private static int seconds(String text) {
    try {
      int seconds = Integer.parseInt(text);
      if (seconds > 0 && seconds <= MOST_SECONDS) {
        return seconds;
      }
    } catch (NumberFormatException e) {
      // same message as for a number out of range
    }
    throw new IllegalArgumentException(
        "--time-limit is " + text + ": it has to be a number of seconds, at most " + MOST_SECONDS);
  }
}
