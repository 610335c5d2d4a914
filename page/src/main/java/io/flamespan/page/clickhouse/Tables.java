/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The tables or views, quoted for statements. */
public record Tables(String traces, String profiles) {

  /** Takes names, with or without a database before a dot. */
  public static Tables of(String traces, String profiles) {
    return new Tables(quoted(traces), quoted(profiles));
  }

  private static String quoted(String name) {
    return Arrays.stream(name.split("\\.", 2))
        .map(part -> "`" + part.replace("\\", "\\\\").replace("`", "\\`") + "`")
        .collect(Collectors.joining("."));
  }
}
