/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.page.clickhouse;

import java.util.Map;
import java.util.TreeMap;

/**
 * What each query may take of the server.
 *
 * @param memoryMegabytes 0 for the server's own limit
 */
public record Limits(int seconds, long memoryMegabytes) {
  private static final long BYTES_OF_A_MEGABYTE = 1_000_000;

  Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("max_execution_time", String.valueOf(seconds));
    if (memoryMegabytes > 0) {
      settings.put("max_memory_usage", String.valueOf(memoryMegabytes * BYTES_OF_A_MEGABYTE));
    }
    return settings;
  }
}
