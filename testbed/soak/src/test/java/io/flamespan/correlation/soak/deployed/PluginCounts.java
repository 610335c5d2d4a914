/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.flamespan.correlation.soak.deployed;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;

/** Short names for the plug-in's metrics. */
final class PluginCounts {
  static final String PREFIX = "profiling.correlation.";
  private static final AttributeKey<String> TYPE = AttributeKey.stringKey("type");
  private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("outcome");

  static String key(String metric, Attributes attributes) {
    String name = metric.substring(PREFIX.length());
    return attributes.isEmpty()
        ? name
        : name + '.' + attributes.get(TYPE) + '.' + attributes.get(OUTCOME);
  }

  private PluginCounts() {}
}
