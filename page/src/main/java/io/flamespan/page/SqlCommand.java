/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page;

import io.flamespan.page.clickhouse.StatementForm;
import io.flamespan.page.clickhouse.Statements;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/** Prints statements for ClickHouse that are useful without the page. */
final class SqlCommand {
  static final String NAME = "sql";

  private static final String SUMS = "sums";
  private static final String DROP_SUMS = "drop-sums";

  private SqlCommand() {}

  static int run(List<String> names, PrintStream out) throws Arguments.UsageException {
    if (names.equals(List.of(SUMS))) {
      out.print(Statements.ofSums());
      return 0;
    }
    if (names.equals(List.of(DROP_SUMS))) {
      out.print(Statements.thatDropSums());
      return 0;
    }
    if (names.isEmpty() || !Statements.NAMES.contains(names.get(0))) {
      throw new Arguments.UsageException(
          "sql takes one of: "
              + String.join(", ", Statements.NAMES)
              + ", "
              + SUMS
              + ", "
              + DROP_SUMS
              + "\n"
              + Arguments.USAGE);
    }
    out.print(Statements.named(names.get(0), form(names.subList(1, names.size()))));
    return 0;
  }

  private static StatementForm form(List<String> options) throws Arguments.UsageException {
    if (options.isEmpty()) {
      return StatementForm.PARAMETERS;
    }
    return (options.size() == 2 && options.get(0).equals("--for")
            ? StatementForm.of(options.get(1))
            : Optional.<StatementForm>empty())
        .orElseThrow(
            () ->
                new Arguments.UsageException(
                    "sql takes a name, and --for grafana or --for clickstack\n" + Arguments.USAGE));
  }
}
