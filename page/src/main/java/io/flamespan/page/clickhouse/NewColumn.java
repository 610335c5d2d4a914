/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

/** A column that not all versions of the exporter create. The statements do without it. */
enum NewColumn {
  FLAGS(
      true,
      "Flags",
      "toUInt32(0) AS Flags",
      "Flags",
      "arrayMax([toUInt32(0), COLUMNS('^Flags$')]) AS Flags"),
  KINDS(
      false,
      "LocationAttributes",
      "emptyArrayString()",
      "arrayMap(attributes -> attributes['profile.frame.type'], LocationAttributes)",
      "arrayMap(attributes -> attributes['profile.frame.type'], arrayConcat("
          + "CAST([], 'Array(Map(LowCardinality(String), String))'), COLUMNS('^LocationAttributes$')))");

  private final boolean ofTraces;
  private final String columnName;
  private final String without;
  private final String with;
  private final String ifPresent;

  NewColumn(boolean ofTraces, String columnName, String without, String with, String ifPresent) {
    this.ofTraces = ofTraces;
    this.columnName = columnName;
    this.without = without;
    this.with = with;
    this.ifPresent = ifPresent;
  }

  boolean isOfTraces() {
    return ofTraces;
  }

  String columnName() {
    return columnName;
  }

  /** Returns the statement with the column. */
  String into(String statement) {
    return statement.replace(without, with);
  }

  /** Returns the statement with the column for those who may read all columns, if it is present. */
  String ifPresentInto(String statement) {
    return statement.replace(without, ifPresent);
  }
}
