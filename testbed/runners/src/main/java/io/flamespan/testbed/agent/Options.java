/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.testbed.agent;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The command line. Everything that the example needs has already been built. */
record Options(
    String standIn,
    String agent,
    String extension,
    String elastic,
    String configFile,
    String application,
    String pluginShop) {

  private static final Set<String> NAMES =
      Set.of(
          "--stand-in",
          "--agent",
          "--extension",
          "--elastic",
          "--config-file",
          "--application",
          "--plugin-shop");

  /** Parses the command line, or throws IllegalArgumentException with a message for the user. */
  static Options parse(String[] args) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i + 1 < args.length; i += 2) {
      values.put(args[i], args[i + 1]);
    }
    if (!values.keySet().equals(NAMES)) {
      throw new IllegalArgumentException("Required options, each with a value: " + NAMES);
    }
    return new Options(
        values.get("--stand-in"),
        values.get("--agent"),
        values.get("--extension"),
        values.get("--elastic"),
        values.get("--config-file"),
        values.get("--application"),
        values.get("--plugin-shop"));
  }
}
