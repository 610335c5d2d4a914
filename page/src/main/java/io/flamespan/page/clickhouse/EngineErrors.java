/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import com.clickhouse.client.api.ServerException;
import java.util.Set;

/** Says in one line what went wrong, and what to do. */
final class EngineErrors {
  private static final int LONGEST = 300;
  private static final int TIMEOUT_EXCEEDED = 159;
  private static final int READONLY = 164;
  private static final int SETTING_CONSTRAINT_VIOLATION = 452;
  private static final int ACCESS_DENIED = 497;

  private EngineErrors() {}

  /** Whether the server refused a setting, as it does to users with readonly = 1. */
  static boolean refusesSetting(Throwable thrown) {
    return has(thrown, Set.of(READONLY, SETTING_CONSTRAINT_VIOLATION));
  }

  /** Whether the user lacks a right. */
  static boolean deniesAccess(Throwable thrown) {
    return has(thrown, Set.of(ACCESS_DENIED));
  }

  private static boolean has(Throwable thrown, Set<Integer> codes) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof ServerException server && codes.contains(server.getCode())) {
        return true;
      }
    }
    return false;
  }

  /**
   * @param ofSums whether the statement reads sums, not the exporter's tables
   */
  static String line(Throwable thrown, Address address, Limits limits, boolean ofSums) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof ServerException server) {
        return ofServer(server, address, limits, ofSums);
      }
    }
    Throwable first = thrown;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    return "ClickHouse at "
        + address.url()
        + " does not answer like its HTTP interface: "
        + cut(first.getMessage() == null ? first.toString() : first.getMessage());
  }

  private static String ofServer(
      ServerException server, Address address, Limits limits, boolean ofSums) {
    String what =
        switch (server.getCode()) {
          case 60, 81 ->
              ofSums
                  ? needsSums(address)
                  : "the tables otel_traces and otel_profiles have to be in the database "
                      + address.database()
                      + " (?database=), where the collector's clickhouse exporter creates them; those"
                      + " with other names are named with --traces-table and --profiles-table";
          case 16, 47, 8, 10, 43, 53 ->
              ofSums
                  ? needsSums(address)
                  : "the tables have to come from the collector's clickhouse exporter, v0.161.0 or"
                      + " later, without its option json";
          case TIMEOUT_EXCEEDED ->
              "a query took more than the time limit of "
                  + limits.seconds()
                  + " s; choose a shorter range with --from and --to, or a higher --time-limit";
          case 241 ->
              "a query needs more memory than the server or --memory-limit allows; choose a shorter"
                  + " range with --from and --to, or a higher limit";
          case 192, 193, 194, 516 ->
              "user "
                  + address.user()
                  + " may not log in; see CLICKHOUSE_USER, CLICKHOUSE_PASSWORD";
          case ACCESS_DENIED ->
              "user "
                  + address.user()
                  + " may not read the tables "
                  + (ofSums
                      ? "and views " + Engine.PREFIX_OF_SUMS + "…"
                      : "otel_traces and otel_profiles");
          case READONLY ->
              "user "
                  + address.user()
                  + " is read-only and has settings that change results; use one with readonly = 2,"
                  + " or with the default of the setting named here";
          case 158, 191, 396 ->
              "the query exceeds a limit of the server or of user "
                  + address.user()
                  + "; choose a shorter range with --from and --to";
          case 46, 62 -> "it has to be version 26.2 or later";
          default -> "it refuses a query";
        };
    return "ClickHouse at "
        + address
        + ": "
        + what
        + ": "
        + cut(String.valueOf(server.getMessage()));
  }

  private static String needsSums(Address address) {
    return "--sums needs the tables "
        + Engine.PREFIX_OF_SUMS
        + "… in the database "
        + address.database()
        + ": the statements of sql drop-sums, and then of sql sums, create them anew";
  }

  private static String cut(String message) {
    String line = message.strip().lines().findFirst().orElse("").replaceAll("\\s+", " ");
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
  }
}
