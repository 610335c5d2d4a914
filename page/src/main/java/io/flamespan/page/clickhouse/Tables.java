/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The tables or views, quoted for statements.
 *
 * @param sums whether the sums by hour are read in place of them
 */
public record Tables(String traces, String profiles, boolean sums) {

  /** Takes names, with or without a database before a dot. */
  public static Tables of(String traces, String profiles, boolean sums) {
    return new Tables(quoted(traces), quoted(profiles), sums);
  }

  private static String quoted(String name) {
    return Arrays.stream(name.split("\\.", 2))
        .map(part -> "`" + part.replace("\\", "\\\\").replace("`", "\\`") + "`")
        .collect(Collectors.joining("."));
  }
}
