/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.clickhouse.Statements;
import java.io.PrintStream;
import java.util.List;

/** Prints statements for ClickHouse that are useful without the page. */
final class SqlCommand {
  static final String NAME = "sql";

  private SqlCommand() {}

  static int run(List<String> names, PrintStream out) throws Arguments.UsageException {
    if (names.size() != 1 || !Statements.NAMES.contains(names.get(0))) {
      throw new Arguments.UsageException(
          "sql takes one of: " + String.join(", ", Statements.NAMES) + "\n" + Arguments.USAGE);
    }
    out.print(Statements.named(names.get(0)));
    return 0;
  }
}
