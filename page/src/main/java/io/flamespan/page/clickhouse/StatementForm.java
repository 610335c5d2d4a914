/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a printed statement gets its parameters. */
public enum StatementForm {
  /** From ClickHouse's own parameters. */
  PARAMETERS("", ""),

  /** From the variables of a dashboard. Their encoding keeps any name from ending the literal. */
  GRAFANA(
      "decodeURLComponent('${NAME:percentencode}')",
      "extractAll('${trace:percentencode}', '[0-9a-f]+')"),

  /** From the variables of a dashboard of ClickStack, which are NULL without a selection. */
  CLICKSTACK(
      "coalesce(${NAME:sqlstring}, '')",
      "extractAll(coalesce(${trace:sqlstring}, ''), '[0-9a-f]+')"),

  /** In a view that sums up an hour: with the hour before, and what profiles may take after it. */
  OF_AN_HOUR("''", "");

  private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+):[^}]+}");

  private final String text;
  private final String traces;

  StatementForm(String text, String traces) {
    this.text = text;
    this.traces = traces;
  }

  /** Returns the form for a tool, such as grafana. */
  public static Optional<StatementForm> of(String tool) {
    return Arrays.stream(values())
        .filter(form -> form != PARAMETERS && form != OF_AN_HOUR)
        .filter(form -> form.name().toLowerCase(Locale.ROOT).equals(tool))
        .findFirst();
  }

  /** Returns the statement of this name in this form. */
  String of(String name, String statement) {
    Map<String, String> constants = constants();
    return PARAMETER
        .matcher(statement)
        .replaceAll(
            parameter ->
                Matcher.quoteReplacement(
                    constants.containsKey(parameter.group(1))
                        ? constants.get(parameter.group(1))
                        : value(name, parameter.group(1), parameter.group())));
  }

  private String value(String statement, String parameter, String otherwise) {
    if (this == PARAMETERS) {
      return otherwise;
    }
    return switch (parameter) {
      case "from" ->
          this == OF_AN_HOUR
              ? "(toDateTime64(hour, 9, 'UTC') - INTERVAL 1 HOUR)"
              : "toDateTime64($__fromTime, 9, 'UTC')";
      case "to" ->
          this == OF_AN_HOUR
              ? "(toDateTime64(hour, 9, 'UTC') + INTERVAL 70 MINUTE)"
              : "toDateTime64($__toTime, 9, 'UTC')";
      case "traces" -> // none without a choice, as an empty list means all
          statement.endsWith("-of-trace")
              ? "arrayPushBack(" + traces + ", 'none')"
              : "CAST([], 'Array(String)')";
      default -> text.replace("NAME", parameter);
    };
  }

  /** The patterns of parts-of-spans.sql as literals. */
  private static Map<String, String> constants() {
    Map<String, String> constants = new TreeMap<>();
    TimeLines.patterns()
        .forEach((name, text) -> constants.put(name, "'" + text.replace("'", "\\'") + "'"));
    return constants;
  }
}
