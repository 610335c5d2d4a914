/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import com.clickhouse.client.api.Client;
import com.clickhouse.client.api.data_formats.ClickHouseBinaryFormatReader;
import com.clickhouse.client.api.query.QueryResponse;
import com.clickhouse.client.api.query.QuerySettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs the queries in the folder clickhouse, with bound parameters. */
public final class Engine implements AutoCloseable {
  private static final int OLDEST = 2602; // version 26.2
  private static final Pattern TABLE = Pattern.compile("(?<=FROM )otel_(traces|profiles)\\b");

  /** What the statements need of settings that change results, whatever a profile of them has. */
  private static final String SETTINGS =
      "\n"
          + "SETTINGS join_use_nulls = 0, aggregate_functions_null_for_empty = 0, transform_null_in"
          + " = 0, join_default_strictness = 'ALL', prefer_column_name_to_alias = 0,"
          + " group_by_use_nulls = 0, limit = 0, offset = 0"
          + Stream.of(
                  "read",
                  "group_by",
                  "sort",
                  "result",
                  "timeout",
                  "set",
                  "join",
                  "distinct",
                  "transfer")
              .map(kind -> ", " + kind + "_overflow_mode = 'throw'")
              .collect(Collectors.joining());

  /** Of tables and views. Its number changes with what the sums mean. */
  static final String PREFIX_OF_SUMS = "flamespan_v1_";

  private static final String VERSION = "SELECT version() AS version";
  private static final Pattern VERSION_NUMBERS = Pattern.compile("[0-9]{1,4}\\.[0-9]{1,4}\\b");
  private static final int CONNECT_SECONDS = 10;
  private static final int GRACE_SECONDS =
      10; // for the error message of a query that reached its limit

  private final Address address;
  private final Limits limits;
  private final Tables tables;
  private final Client client;
  private final Map<String, Set<String>> columns = new HashMap<>();
  private List<Map<String, String>> settings; // the first, or else the next one

  /** Limits each query. */
  public Engine(Address address, Tables tables, Limits limits) {
    this.address = address;
    this.tables = tables;
    this.limits = limits;
    Map<String, String> limit = limits.settings();
    Map<String, String> endsWithClient = new TreeMap<>(limit);
    endsWithClient.put("cancel_http_readonly_queries_on_client_close", "1");
    endsWithClient.put("readonly", "2"); // else the server does not look for the client
    settings = List.of(endsWithClient, limit, Map.of());
    client =
        new Client.Builder()
            .addEndpoint(address.url())
            .setUsername(address.user())
            .setPassword(address.password())
            .setDefaultDatabase(address.database())
            .setConnectTimeout(CONNECT_SECONDS, ChronoUnit.SECONDS)
            .setSocketTimeout(limits.seconds() + GRACE_SECONDS, ChronoUnit.SECONDS)
            .setMaxRetries(0)
            // Most results are small. The names of many endpoints would not fit into a URL.
            .compressServerResponse(false)
            .useHttpFormDataForQuery(true)
            .build();
  }

  /**
   * Passes the reader on, once for each row.
   *
   * @param file in the folder clickhouse
   * @throws UncheckedIOException with a line that says what to do
   */
  void query(
      String file, Map<String, Object> parameters, Consumer<ClickHouseBinaryFormatReader> row) {
    run(statement(withNewColumns(Statements.read(file))), parameters, row);
  }

  /** The same from the sums by hour. */
  void queryOfSums(
      String file, Map<String, Object> parameters, Consumer<ClickHouseBinaryFormatReader> row) {
    run(statement(Statements.readOfSums(file)), parameters, row);
  }

  /**
   * Returns the version.
   *
   * @throws UncheckedIOException with one line if ClickHouse does not answer or is too old
   */
  public String checkVersion() {
    String[] version = {""};
    Consumer<ClickHouseBinaryFormatReader> take = row -> version[0] = row.getString("version");
    for (boolean isAnswered = false; !isAnswered; ) {
      try {
        run(VERSION, Map.of(), take);
        isAnswered = true;
      } catch (UncheckedIOException e) {
        if (isReadOnly() || !EngineErrors.refusesSetting(e)) {
          throw e;
        }
        settings = settings.subList(1, settings.size());
      }
    }
    requireVersion(version[0]);
    return version[0];
  }

  /** Whether the user may not change settings, and so the limits are not the server's. */
  public boolean isReadOnly() {
    return settings.size() == 1;
  }

  void requireVersion(String version) {
    if (!VERSION_NUMBERS.matcher(version).lookingAt()) {
      throw new UncheckedIOException(
          new IOException(
              "ClickHouse at "
                  + address
                  + " does not answer like its HTTP interface: it tells no version"));
    }
    String[] parts = version.split("\\.", -1);
    if (Integer.parseInt(parts[0]) * 100 + Integer.parseInt(parts[1]) < OLDEST) {
      throw new UncheckedIOException(
          new IOException(
              "ClickHouse at " + address + " is version " + version + ": 26.2 or later is needed"));
    }
  }

  @SuppressWarnings("try") // an interrupt while the answer is closed is caught below
  private void run(
      String sql, Map<String, Object> parameters, Consumer<ClickHouseBinaryFormatReader> row) {
    QuerySettings ofQuery = new QuerySettings();
    settings.get(0).forEach(ofQuery::serverSetting);
    try (QueryResponse response = client.query(sql, parameters, ofQuery).get();
        ClickHouseBinaryFormatReader reader = client.newBinaryFormatReader(response)) {
      while (reader.hasNext()) {
        reader.next();
        row.accept(reader);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(e, sql);
    } catch (Exception e) { // close() declares it, and the client throws unchecked ones
      throw failed(e, sql);
    }
  }

  private UncheckedIOException failed(Throwable cause, String sql) {
    boolean ofSums = sql.contains(PREFIX_OF_SUMS);
    return new UncheckedIOException(
        new IOException(EngineErrors.line(cause, address, limits, ofSums), cause));
  }

  /** Escapes a parameter of type String, which the engine parses as a tab-separated field. */
  static String text(String text) {
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
  }

  /** Formats a parameter of type Array(String), in which the engine expects quoted strings. */
  static String array(List<String> texts) {
    return texts.stream()
        .map(text -> "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'")
        .collect(Collectors.joining(",", "[", "]"));
  }

  private String withNewColumns(String statement) {
    String with = statement;
    for (NewColumn column : NewColumn.values()) {
      if (columnsOf(column.isOfTraces() ? tables.traces() : tables.profiles())
          .contains(column.columnName())) {
        with = column.into(with);
      }
    }
    return with;
  }

  private String statement(String text) {
    return TABLE
            .matcher(text)
            .replaceAll(
                table ->
                    Matcher.quoteReplacement(
                        table.group(1).equals("traces") ? tables.traces() : tables.profiles()))
        + SETTINGS;
  }

  /** Read once, as tables do not change while they are read. */
  private synchronized Set<String> columnsOf(String table) {
    Set<String> known = columns.get(table);
    if (known == null) {
      Set<String> found = new HashSet<>();
      try {
        run("DESCRIBE TABLE " + table, Map.of(), row -> found.add(row.getString("name")));
      } catch (UncheckedIOException e) {
        if (!EngineErrors.deniesAccess(e)) {
          throw e; // statements with and without the column must not meet on one page
        }
        found.clear(); // who may only read some columns may not ask which there are
      }
      columns.put(table, found);
      known = found;
    }
    return known;
  }

  /** Any thread may call this. A query that another one runs fails, and ends at the server. */
  @Override
  public void close() {
    client.close();
  }
}
